"""Chat models: what a model is asked and says, by HTTP or a function, with its usage and faults."""
