"""What-if analysis: past decisions and questions computed again under another policy."""
