"""Context packing: shares of the budget, cross-type ranking, duplicates, rendered lines."""
