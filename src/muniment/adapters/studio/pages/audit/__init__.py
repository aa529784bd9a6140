"""The pages of the log behind the memory: logs, entries, differences, privacy, proof."""
