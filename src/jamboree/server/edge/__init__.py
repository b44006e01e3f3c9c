"""The door: which connections are let in, how long they may take, and how much may wait in all.

Everything here happens before a request or message reaches the application (docs/adr/0012).
"""
