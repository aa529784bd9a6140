"""The fixed-point arithmetic of the model, under the name that readers know it by."""

from muniment.model.fixed import BITS, FRACTION_BITS, MILLION, halved_ppm, log2_ppm, rounded

__all__ = ["BITS", "FRACTION_BITS", "MILLION", "halved_ppm", "log2_ppm", "rounded"]
