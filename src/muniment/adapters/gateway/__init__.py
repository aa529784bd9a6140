"""Gateway: authentication, permissions and rate limits, shared by every interface."""
