"""Memory: how each kind folds from the log; a layer records and never judges."""
