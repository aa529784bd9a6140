"""Peers: the same sentences told to Muniment and to others, each in a process of its own."""
