"""HTTP routes of what a log makes cheap: watches, passports, exports and imports."""
