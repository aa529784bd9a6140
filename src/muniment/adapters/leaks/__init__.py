"""Leak fuzzer: canaries planted through every door of a set-up, and looked for everywhere else."""
