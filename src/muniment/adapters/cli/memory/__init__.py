"""Terminal commands of everyday use: remember, recall, forget, facts, conversation."""
