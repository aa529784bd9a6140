"""Requests about what a log makes cheap: watches, passports, exports and imports."""
