"""What a client of the HTTP door says for each verb, and the type of what it hears."""
