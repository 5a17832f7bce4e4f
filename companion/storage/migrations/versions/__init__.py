"""What was changed at the tables: one module for each form, which says what came before it."""
