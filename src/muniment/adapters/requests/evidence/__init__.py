"""Requests about what a log makes cheap: watches, passports and exports."""
