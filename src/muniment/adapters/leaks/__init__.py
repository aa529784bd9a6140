"""Leak fuzzer: canaries planted through every interface, and searched for everywhere else."""
