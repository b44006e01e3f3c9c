"""What is there for whoever runs the server: routes behind a token, and figures."""
