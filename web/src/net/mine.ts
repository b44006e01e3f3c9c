/** The tables this browser has sat at, the last one first. The seat itself is a cookie no script can read. */
const KEY = 'jamboree.tables';
const KEPT = 12;

export interface Mine {
  code: string;
  game: string;
  over?: boolean; // as it was when it was last looked at
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
  remember: (code: string, game: string): void => {
    const before = all();
    const known = before.find((table) => table.code === code);
    keep([{ ...known, code, game }, ...before.filter((table) => table !== known)]);
  },
  note: (code: string, over: boolean): void =>
    keep(all().map((table) => (table.code === code ? { ...table, over } : table))),
  forget: (code: string): void => keep(all().filter((table) => table.code !== code)),
};
