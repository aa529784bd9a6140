"""Terminal commands of administrators: council, keys, policy, index."""
