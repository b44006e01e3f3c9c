"""What goes over the wire: the messages of a socket and the bodies of HTTP. It imports nothing of the rest."""
