"""The migrations: one module for each form. Each module names the form before it."""
