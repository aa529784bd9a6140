"""Request structs: each verb is described once here, and every interface is derived from it."""
