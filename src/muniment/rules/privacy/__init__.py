"""Privacy: detection and redaction of secrets and personal data."""
