"""The web application: HTTP routes, WebSockets, authentication, rate limits, and the static site."""
