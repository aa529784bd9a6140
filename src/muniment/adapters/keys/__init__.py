"""Keys at rest: master key, key table, keystore."""
