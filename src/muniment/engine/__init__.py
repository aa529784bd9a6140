"""Engine: how a command becomes entries, and how memory is read, maintained and proved."""
