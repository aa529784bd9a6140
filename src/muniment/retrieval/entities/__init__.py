"""Entities: people, places and organisations that texts name, and how they are related."""
