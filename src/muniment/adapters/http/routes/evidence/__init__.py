"""HTTP routes of evidence: watches, passports, exports and imports."""
