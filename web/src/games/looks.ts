/** Each game's letters, colours and frame. Loaded after the shell's own, whose names they re-point. */
import.meta.glob('../../../src/jamboree/games/*/web/shell/look.css', { eager: true });
