/** Rows by key in IndexedDB. A transaction is on disk when `write` resolves, or nothing of it is. */
const DATABASE = 'jamboree';
const ROWS = 'rows';
const LAST = '\uffff'; // sorts after every character of a key

/** Thrown when the guarded row is not as its writer knows it; Python knows the error by its name. */
class GuardFailed extends Error {
  override name = 'GuardFailed';
}

type Row = [key: string, value: Uint8Array | undefined | null];

export class Disk {
  private constructor(private readonly database: IDBDatabase) {}

  /** Open the database; reject where the browser stores nothing. */
  static async open(): Promise<Disk> {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => void opening.result.createObjectStore(ROWS);
    return new Disk(await result(opening));
  }

  /** The rows whose keys begin so, in the order of their keys. */
  async read(beginning: string): Promise<Row[]> {
    const rows = this.database.transaction(ROWS).objectStore(ROWS);
    const range = IDBKeyRange.bound(beginning, beginning + LAST);
    const [keys, values] = await Promise.all([result(rows.getAllKeys(range)), result(rows.getAll(range))]);
    return keys.map((key, at) => [key as string, values[at] as Uint8Array]);
  }

  /** Write rows, and delete those without a value, if the guarded row is as given. */
  async write(rows: Row[], guard: Row | null | undefined): Promise<void> {
    const transaction = this.database.transaction(ROWS, 'readwrite', { durability: 'strict' });
    const store = transaction.objectStore(ROWS);
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new GuardFailed());
    });
    const put = (): void => {
      for (const [key, value] of rows)
        if (value) store.put(value, key);
        else store.delete(key);
    };
    if (!guard) put();
    else {
      const [key, expected] = guard;
      const found = store.get(key) as IDBRequest<Uint8Array | undefined>;
      found.onsuccess = () => (equal(found.result, expected) ? put() : transaction.abort());
    }
    await done;
  }
}

function equal(one: Uint8Array | undefined, other: Uint8Array | undefined | null): boolean {
  if (!one || !other) return !one && !other;
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
}
