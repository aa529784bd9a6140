"""Projections of governance: requests and votes, governed facts, confirmations, consents."""
