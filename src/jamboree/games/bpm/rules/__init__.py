"""The rules, a module for each chapter of the rulebook; state, actions and events."""
