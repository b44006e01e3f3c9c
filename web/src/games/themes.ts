/** Theme of each game: fonts, colours, frame. Loaded after the shell's theme, whose variables it overrides. */
import.meta.glob('../../../src/jamboree/games/*/web/shell/theme.css', { eager: true });
