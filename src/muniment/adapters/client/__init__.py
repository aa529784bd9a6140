"""HTTP clients: the request of each verb and the type of its response."""
