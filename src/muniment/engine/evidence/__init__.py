"""Evidence: what a log makes cheap; watches, passports, branches, and what might have been."""
