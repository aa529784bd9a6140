"""Adapters: the only floor with I/O; clocks, files, terminals, servers and stores."""
