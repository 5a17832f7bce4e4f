"""Changes to the tables: one module for each form, which names the form before it."""
