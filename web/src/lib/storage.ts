/** Typed localStorage with defaults for missing or malformed values. */

/** Store a value; without browser storage it lasts as long as the page. */
export function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or disabled.
  }
}

/** Read a list, without malformed elements. */
export function recallList<T>(key: string, fits: (one: unknown) => one is T): T[] {
  const stored = recall(key);
  return Array.isArray(stored) ? stored.filter(fits) : [];
}

/** Read a record, without malformed values. */
export function recallRecord<T>(key: string, fits: (one: unknown, name: string) => one is T): Record<string, T> {
  const stored = Object.entries(recall(key) ?? {}).filter((entry): entry is [string, T] => fits(entry[1], entry[0]));
  return Object.fromEntries(stored);
}

export const isString = (one: unknown): one is string => typeof one === 'string';
export const isStringList = (one: unknown): one is string[] => Array.isArray(one) && one.every(isString);

/** Whether a value is an object with strings under these names. */
export function hasStrings<T>(...names: (keyof T & string)[]): (one: unknown) => one is T {
  return (one): one is T => names.every((name) => isString((one as Record<string, unknown> | null)?.[name]));
}

function recall(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
