"""What must not be kept as it was said: secrets and personal data, and where they stand."""
