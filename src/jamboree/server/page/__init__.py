"""Tables without a server: the live tables in a web page, kept in its IndexedDB. Everything here runs in Pyodide."""
