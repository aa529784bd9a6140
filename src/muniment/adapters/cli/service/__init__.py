"""Terminal commands of operators: serve, backup, import and export, server stores."""
