/** What the top bar offers on a desktop, and the menu on a phone. */
import { t } from '$lib/i18n.svelte';
import { settings } from '$lib/settings.svelte';
import type { Table } from '$lib/table.svelte';

export interface Tool {
  key: string;
  icon: string;
  label: string;
  pressed?: boolean;
  disabled?: boolean;
  run: () => void;
}

export function tools(table: Table): Tool[] {
  return [...undo(table), ...pause(table), sound(), rules(table)];
}

function undo(table: Table): Tool[] {
  if (table.me === null || !table.playing) return [];
  const rule = table.room.undo?.rule;
  const label = rule === 'consent' ? t('undo.ask') : t('undo');
  const disabled = !rule || rule === 'never' || table.post.state !== 'open' || !!table.room.seen?.undo_asked;
  return [{ key: 'undo', icon: 'undo', label, disabled, run: () => void table.askUndo() }];
}

function pause(table: Table): Tool[] {
  if (!table.hosting || !table.playing) return [];
  const held = (table.room.seen?.paused ?? 'no') !== 'no';
  const run = (): void => void table.pause(!held);
  return [{ key: 'pause', icon: held ? 'play' : 'pause', label: t(held ? 'resume' : 'pause'), pressed: held, run }];
}

function sound(): Tool {
  const run = (): void => settings.change({ sound: !settings.sound });
  return { key: 'sound', icon: settings.sound ? 'sound' : 'mute', label: t('sound'), pressed: settings.sound, run };
}

function rules(table: Table): Tool {
  const run = (): void => (table.rules.open ? table.closeRules() : table.openRules());
  return { key: 'rules', icon: 'help', label: t('rules'), pressed: table.rules.open, run };
}
