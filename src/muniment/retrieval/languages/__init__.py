"""The languages whose words for time are known, each a table of its own."""
