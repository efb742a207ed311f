"""The table service over HTTP and WebSocket, on one port."""
