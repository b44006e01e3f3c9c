/** Actions of the top bar on a desktop and of the menu on a phone. */
import { t } from '$lib/i18n.svelte';
import { settings, type StoredSettings } from '$lib/settings.svelte';
import { errorText } from '$lib/table/refusals';
import type { Table } from '$lib/table/table.svelte';
import { api, refusalOf } from '../../net/api';
import { mayHint } from '../hint/hint';
import { undoState } from '../undo';

const PACES: StoredSettings['pace'][] = ['relaxed', 'quick', 'instant'];

export interface Tool {
  key: string;
  icon: string;
  label: string;
  pressed?: boolean;
  disabled?: boolean; // unavailable; pressing it shows the reason
  keys?: string; // keyboard shortcut
  run: () => void;
}

export function tools(table: Table): Tool[] {
  if (table.store.table?.lesson) return [sound(), rules(table)]; // lessons have no undo and no bot pace
  return [...hint(table), ...undo(table), ...pause(table), ...pace(table), sound(), rules(table)];
}

function hint(table: Table): Tool[] {
  if (!mayHint(table)) return [];
  const { canAct, hints } = table;
  const run = (): void => (canAct || hints.open ? hints.toggle() : table.showNotice(t('hint.not-now')));
  return [{ key: 'hint', icon: 'bulb', label: t('hint'), pressed: hints.open, disabled: !canAct && !hints.open, run }];
}

function undo(table: Table): Tool[] {
  if (table.me === null || !table.playing) return [];
  const down = table.transport.state !== 'open';
  const { possible, label } = down ? { possible: false, label: t('line.lost') } : undoState(table.store);
  const run = (): void => (possible ? void table.askUndo() : table.showNotice(label));
  return [{ key: 'undo', icon: 'undo', label, disabled: !possible, run }];
}

function pause(table: Table): Tool[] {
  if (!(table.hosting || table.mayResume) || !table.playing) return [];
  const state = table.store.table?.paused ?? 'no';
  const held = state !== 'no';
  const label = state === 'coming' ? t('pause.cancel') : t(held ? 'resume' : 'pause');
  const run = (): void => void table.pause(!held);
  return [{ key: 'pause', icon: held ? 'play' : 'pause', label, pressed: held, run }];
}

/** The pace of bots; a tap cycles through the paces. */
function pace(table: Table): Tool[] {
  const info = table.store.table;
  if (!info?.bots.length || !table.hosting || !table.playing || table.store.clock?.kind === 'phase') return [];
  const next = PACES[(PACES.indexOf(info.pace) + 1) % PACES.length]!;
  const run = (): void => {
    settings.change({ pace: next });
    void api.pace(info.table, next).catch((error: unknown) => table.showNotice(errorText(refusalOf(error))));
  };
  return [{ key: 'pace', icon: 'bot', label: t('pace', { pace: t(`pace.${info.pace}`) }), run }];
}

function sound(): Tool {
  const run = (): void => settings.change({ sound: !settings.sound });
  return { key: 'sound', icon: settings.sound ? 'sound' : 'mute', label: t('sound'), pressed: settings.sound, run };
}

function rules(table: Table): Tool {
  const run = (): void => table.toggleRules();
  return { key: 'rules', icon: 'help', label: t('rules'), pressed: table.rules.open, keys: '?', run };
}
