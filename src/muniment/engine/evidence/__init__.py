"""Evidence: watches, passports, branches, holds, retention and rollback, all from the log."""
