/** The plain table UI, a fallback for any game: the terminal's board and a menu of actions. */
import type { TableUi } from '$lib/contract';
import Backdrop from './Backdrop.svelte';
import PreviewText from './PreviewText.svelte';
import Mark from './Mark.svelte';
import ActionMenu from './ActionMenu.svelte';
import TerminalBoard from './TerminalBoard.svelte';
import Result from './Result.svelte';
import SeatCard from './SeatCard.svelte';
import { ActionMenuModel } from './action_menu.svelte';

const EMPTY = '<svg xmlns="http://www.w3.org/2000/svg"></svg>';

/** The plain table UI of a game; the lobby keeps the marks and presets of the game's own table UI. */
export function plainTableUi(key: string, own?: TableUi): TableUi {
  return {
    key,
    sheet: own?.sheet ?? EMPTY,
    model: (table) => new ActionMenuModel(table),
    subtitle: () => '',
    Backdrop,
    SeatCard,
    Mark: own?.Mark ?? Mark,
    Board: TerminalBoard,
    Hand: ActionMenu,
    Inspector: PreviewText,
    panels: [],
    Ending: Result,
    presets: own?.presets,
    sounds: {},
  };
}
