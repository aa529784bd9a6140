"""Terminal commands of auditors: log, proof, provenance, signatures, health."""
