"""What exists: frozen values. No I/O and no clock in this package."""
