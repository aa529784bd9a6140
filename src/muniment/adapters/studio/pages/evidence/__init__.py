"""The pages of what a log makes cheap: retention and holds, branches, rollback, what-if."""
