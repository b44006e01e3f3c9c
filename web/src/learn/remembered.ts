/** The tables of lessons this browser has: to come back where one was. */
const KEY = 'jamboree.lessons';

function all(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

function keep(tables: Record<string, string>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(tables));
  } catch {
    // Without storage one begins anew.
  }
}

export const places = {
  of: (game: string): string | undefined => all()[game],
  remember: (game: string, code: string): void => keep({ ...all(), [game]: code }),
  forget: (game: string): void => {
    const tables = all();
    delete tables[game];
    keep(tables);
  },
};
