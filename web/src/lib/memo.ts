/** Make a thing once for each name: a formatter of a language takes a hundred times as long to make as to use. */
export function memo<T>(make: (name: string) => T): (name: string) => T {
  const made = new Map<string, T>();
  return (name) => {
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name)!;
  };
}
