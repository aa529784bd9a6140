"""Write path of one stream: admission, command pipeline, writer, idempotency, snapshots."""
