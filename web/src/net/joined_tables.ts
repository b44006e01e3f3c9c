/** Tables this browser has joined, most recent first. The seat itself is an HttpOnly cookie. */
import { hasStrings, isString, store, recallList } from '$lib/storage';

const KEY = 'jamboree.tables';
const MAX_TABLES = 12;

export interface Mine {
  code: string;
  game: string;
  over?: boolean; // as last seen
}

const all = (): Mine[] => recallList(KEY, hasStrings<Mine>('code', 'game'));
const keepAll = (tables: Mine[]): void => store(KEY, tables.slice(0, MAX_TABLES));

export const joinedTables = {
  all,
  remember: (code: string, game: string): void => {
    const before = all();
    const known = before.find((table) => table.code === code);
    keepAll([{ ...known, code, game }, ...before.filter((table) => table !== known)]);
  },
  note: (code: string, over: boolean): void =>
    keepAll(all().map((table) => (table.code === code ? { ...table, over } : table))),
  forget: (code: string): void => keepAll(all().filter((table) => table.code !== code)),
};

const LINKS = 'jamboree.links';

/** Device links used by this browser; they work once, so storing them is harmless. */
export const usedLinks = {
  has: (secret: string): boolean => recallList(LINKS, isString).includes(secret),
  remember: (secret: string): void => store(LINKS, [secret, ...recallList(LINKS, isString)].slice(0, MAX_TABLES)),
};
