"""Lives: months of talk drawn from phrases by a seed, lived through each door, and asked about."""
