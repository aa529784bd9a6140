"""Import decisions: records of another memory are checked one by one and written unchanged."""
