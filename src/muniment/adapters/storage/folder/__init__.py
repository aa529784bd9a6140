"""Files beside the logs of a folder store: counters, spool, markers, settings."""
