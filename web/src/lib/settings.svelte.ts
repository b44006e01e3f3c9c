/** User settings, stored in this browser; system preferences fill what was not set. */
import { MediaQuery } from 'svelte/reactivity';
import type { BotPace } from '$types/wire';
import type { Settings } from './contract';
import { store, recallRecord } from './storage';
import { own } from './own_property';

export type Theme = 'system' | 'light' | 'dark';

export interface StoredSettings {
  language: Settings['language'];
  sound: boolean;
  motion: boolean;
  theme: Theme;
  confirm: boolean;
  plain: boolean; // the plain table UI for every game
  firsts: boolean; // first-time tips
  vibration: boolean; // vibrate in real-time phases
  twoPresses: boolean; // a double press opens the curtain, for people who can't hold a button
  phrases: boolean; // show quick phrases of other players
  notify: boolean | null; // notify when it is my turn and the page is hidden; null: never asked
  pace: BotPace; // pace of bots at tables I open
  paceAsked: boolean; // a quicker pace has been offered
  name: string;
}

export const LONGEST_NAME = 20; // as on the server
const KEY = 'jamboree.settings';
const CHOICES: Record<string, readonly unknown[]> = {
  language: ['en', 'nl'],
  theme: ['system', 'light', 'dark'],
  notify: [null, true, false],
  pace: ['relaxed', 'quick', 'instant'],
};
const PLAIN_HERE = new URLSearchParams(location.search).get('ui') === 'plain'; // for this page only

function load(): StoredSettings {
  const language = navigator.language.startsWith('nl') ? 'nl' : 'en';
  const first: StoredSettings = {
    language,
    sound: false,
    motion: true,
    theme: 'system',
    confirm: false,
    plain: false,
    firsts: true,
    vibration: true,
    twoPresses: false,
    phrases: true,
    notify: null,
    pace: 'relaxed',
    paceAsked: false,
    name: '',
  };
  const fits = (one: unknown, name: string): one is never =>
    Object.hasOwn(first, name) &&
    (own(CHOICES, name)?.includes(one) ?? typeof one === typeof first[name as keyof StoredSettings]);
  return { ...first, ...recallRecord(KEY, fits) };
}

class StoredUserSettings implements Settings {
  stored = $state<StoredSettings>(load());
  private readonly dark = new MediaQuery('prefers-color-scheme: dark');
  private readonly still = new MediaQuery('prefers-reduced-motion: reduce');

  readonly theme = $derived.by(() =>
    this.stored.theme === 'system' ? (this.dark.current ? 'dark' : 'light') : this.stored.theme,
  );
  readonly motion = $derived.by(() => this.stored.motion && !this.still.current);

  get language(): Settings['language'] {
    return this.stored.language;
  }
  get sound(): boolean {
    return this.stored.sound;
  }
  get confirm(): boolean {
    return this.stored.confirm;
  }
  get plain(): boolean {
    return this.stored.plain || PLAIN_HERE;
  }
  get firsts(): boolean {
    return this.stored.firsts;
  }
  get pace(): BotPace {
    return this.stored.pace;
  }
  get name(): string {
    return this.stored.name;
  }

  change(change: Partial<StoredSettings>): void {
    Object.assign(this.stored, change);
    store(KEY, this.stored);
  }
}

export const settings = new StoredUserSettings();
