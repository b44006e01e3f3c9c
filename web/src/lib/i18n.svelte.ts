/** Message catalogues in the reader's language: `{param}`, and one/other by `count`, as in Python. */
import type { Params, Settings } from './contract';
import { own } from './own_property';

export type Text = string | { one: string; other: string };
export type Texts = Record<string, Text>;
export type Language = Settings['language'];

const SHELL = import.meta.glob<Texts>('../locale/*.json', { import: 'default' });
const BOTS = import.meta.glob<Texts>('../../../src/jamboree/bots/locale/*.json', { import: 'default' });
const GAMES = import.meta.glob<Texts>('../../../src/jamboree/games/*/words/locale/*.json', { import: 'default' });

class ShellTexts {
  shell = $state.raw<Texts>({});
  language = $state<Language>('en');

  async load(language: Language): Promise<void> {
    const [shell, bots] = await Promise.all([
      SHELL[`../locale/${language}.json`]!(),
      BOTS[`../../../src/jamboree/bots/locale/${language}.json`]!(),
    ]);
    this.shell = { ...shell, ...bots };
    this.language = language;
    document.documentElement.lang = language;
  }
}

export const words = new ShellTexts();

export function fill(text: Text, params: Params = {}): string {
  const form = typeof text === 'string' ? text : params.count === 1 ? text.one : text.other;
  return form.replace(/\{(\w+)\}/g, (hole, name: string) => String(params[name] ?? hole));
}

/** A text of the shell. */
export function t(key: string, params?: Params): string {
  const text = own(words.shell, key);
  return text === undefined ? key : fill(text, params);
}

export async function gameTexts(game: string, language: Language): Promise<Texts> {
  return (await own(GAMES, `../../../src/jamboree/games/${game}/words/locale/${language}.json`)?.()) ?? {};
}

/** Join names: “Ada, Bob and Cleo”. Intl.ListFormat could, but takes 50 ms to create. */
export function list(names: string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : t('and', { names: names.slice(0, -1).join(', '), last });
}
