"""Reading: gather, rank, pack, cite; pure functions over what the shelves hold."""
