"""The toolkit for games: a game declares its rules, visibility and texts, and the kit implements `core.game.Game`."""
