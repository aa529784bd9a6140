"""Chat models: requests and answers, by HTTP or a function, with usage and failures."""
