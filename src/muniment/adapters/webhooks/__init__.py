"""Webhooks: changes of what is watched, sent to an address, signed, and tried again."""
