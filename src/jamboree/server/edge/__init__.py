"""The edge: limits on connections, rates, deadlines and memory, before a request reaches the application (ADR 12)."""
