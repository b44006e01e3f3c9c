/** Who has the remote control of a party: notices when it changes hands, and when its phone is away. */
import { t } from '$lib/i18n.svelte';
import type { TableStore } from '$lib/table/table_store.svelte';
import type { TableInfo } from '../net/wire';

export const REMOTE_AWAY = 30_000; // after which the server lets anybody take it
const READ = 9_000;

export class RemoteWatch {
  notice = $state(''); // for a few seconds after a change
  vacant = $state(false); // anybody can take it

  constructor(private readonly store: TableStore) {
    let before: TableInfo | null = null;
    $effect(() => {
      const info = this.store.table;
      const said = info && before?.table === info.table ? handedOver(before, info) : '';
      before = info;
      if (said) this.notice = said;
    });
    $effect(() => {
      if (!this.notice) return;
      const timer = setTimeout(() => (this.notice = ''), READ);
      return () => clearTimeout(timer);
    });
    const away = $derived(!!this.store.table?.party && this.isAway);
    $effect(() => {
      this.vacant = false;
      if (!away) return;
      const timer = setTimeout(() => (this.vacant = true), REMOTE_AWAY);
      return () => clearTimeout(timer);
    });
  }

  private get isAway(): boolean {
    const host = this.store.person(this.store.table?.host ?? '');
    return !!host && !host.connected;
  }
}

/** What to say when another person has become host; '' if none has, or if it is the first one. */
export function handedOver(before: TableInfo, now: TableInfo): string {
  if (!now.party || before.host === now.host || !before.host) return '';
  const name = now.people.find(({ person }) => person === now.host)?.name ?? '';
  const earlier = before.people.find(({ person }) => person === before.host);
  const there = now.people.find(({ person }) => person === before.host);
  if (earlier && (!there || there.left)) return t('tv.remote.left', { earlier: earlier.name, name });
  return t('tv.remote.passed', { name });
}
