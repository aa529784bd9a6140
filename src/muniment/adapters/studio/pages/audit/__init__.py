"""Studio pages of the log: logs, entries, differences, privacy, proof."""
