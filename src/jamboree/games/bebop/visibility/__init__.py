"""Views and redacted events per viewer, and states restored or sampled from a view."""
