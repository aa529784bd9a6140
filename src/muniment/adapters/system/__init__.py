"""Operating system: clock, locks, paths, optional packages."""
