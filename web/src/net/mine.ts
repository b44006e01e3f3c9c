/** The tables this browser has sat at, the last one first. The seat itself is a cookie no script can read. */
const KEY = 'jamboree.tables';
const KEPT = 12;

export interface Mine {
  code: string;
  game: string;
}

function all(): Mine[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Mine[];
  } catch {
    return [];
  }
}

function keep(tables: Mine[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(tables.slice(0, KEPT)));
  } catch {
    // Without storage the list is lost with the page; the links still work.
  }
}

export const games = {
  all,
  remember: (code: string, game: string): void =>
    keep([{ code, game }, ...all().filter((table) => table.code !== code)]),
  forget: (code: string): void => keep(all().filter((table) => table.code !== code)),
};
