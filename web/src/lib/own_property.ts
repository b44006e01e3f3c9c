/** Looks up an own property; inherited ones such as `constructor` count as missing. */
export function own<T>(values: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
