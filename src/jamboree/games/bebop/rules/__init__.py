"""The rules: state, actions and events, and one module per chapter of the rulebook."""
