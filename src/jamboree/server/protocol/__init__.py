"""The wire protocol: frames of sockets and bodies of HTTP requests. It imports nothing else of the server."""
