"""The server as it is reached: routes, sockets, and the web client."""
