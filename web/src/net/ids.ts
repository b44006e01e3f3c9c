/** A name nobody else uses. (`crypto.randomUUID` is missing on pages of the house's own network.) */
export function newId(): string {
  return hex(12);
}

export function hex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}
