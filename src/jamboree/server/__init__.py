"""The server: live tables over HTTP and WebSocket, persisted before anything is published."""
