"""Motion: how a command becomes entries, and how memory is read, kept up and proved."""
