"""Studio: a local web application that shows what an agent remembers, why, and who said it."""
