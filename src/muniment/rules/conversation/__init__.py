"""Rules of a conversation: classify, gate, conflict, borders, importance, retention."""
