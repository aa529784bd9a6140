"""What every door shares: who is asking, what they may ask, and the hands that do it."""
