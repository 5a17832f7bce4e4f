"""The migrations: one module for each form, which names the form before it."""
