/** Typed localStorage with defaults for missing or malformed values. */

/** Keep a value; a browser without storage has it as long as the page lasts. */
export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // It is full, or not there.
  }
}

/** Recall a list: those of its elements that fit. */
export function recallList<T>(key: string, fits: (one: unknown) => one is T): T[] {
  const stored = recall(key);
  return Array.isArray(stored) ? stored.filter(fits) : [];
}

/** Recall what was kept by name: those of its values that fit. */
export function recallRecord<T>(key: string, fits: (one: unknown, name: string) => one is T): Record<string, T> {
  const stored = Object.entries(recall(key) ?? {}).filter((entry): entry is [string, T] => fits(entry[1], entry[0]));
  return Object.fromEntries(stored);
}

export const isText = (one: unknown): one is string => typeof one === 'string';
export const isTexts = (one: unknown): one is string[] => Array.isArray(one) && one.every(isText);

/** An object with texts under these names. */
export function hasTexts<T>(...names: (keyof T & string)[]): (one: unknown) => one is T {
  return (one): one is T => names.every((name) => isText((one as Record<string, unknown> | null)?.[name]));
}

function recall(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
