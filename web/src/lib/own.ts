/** The value under a key from outside, such as an address; what every object inherits is not there. */
export function own<T>(values: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
