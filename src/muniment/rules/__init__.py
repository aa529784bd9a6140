"""Rules: pure functions that decide one question each and do not call each other."""
