"""Webhooks: changes of watched records, signed, sent to an address, and retried."""
