"""What other memories wrote down, read as sentences that can be remembered here."""
