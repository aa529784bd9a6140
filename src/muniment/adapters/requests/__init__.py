"""Request structs: each verb is described once here, and every door derives from that."""
