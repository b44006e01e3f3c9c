"""What the API answers, as plain functions: the routes of the web server call them, and so does a page without one."""
