"""Requests of evidence: watches, passports, exports and imports."""
