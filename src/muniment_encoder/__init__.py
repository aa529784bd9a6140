"""Encoder weights: the file that Muniment's embedder `encoder-1-128` reads, and nothing else."""
