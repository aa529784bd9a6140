"""Statements: in which words each language states, asks, orders and exclaims."""
