/** Random ids. (`crypto.randomUUID` is missing on pages served over plain HTTP in a home network.) */
export function newId(): string {
  return randomHex(12);
}

export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}
