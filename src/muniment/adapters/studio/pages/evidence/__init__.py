"""Studio pages of evidence: retention and holds, branches, rollback, what-if."""
