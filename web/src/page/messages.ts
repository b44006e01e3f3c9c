/** Messages between the page and the worker that runs its tables. */

export interface PageRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  actingAs: string;
  body: string | ArrayBuffer;
}

export type ToWorker =
  | { type: 'start'; folder: string }
  | ({ type: 'request'; id: number } & PageRequest)
  | { type: 'connect'; number: number; code: string }
  | { type: 'send'; number: number; text: string }
  | { type: 'hang-up'; number: number };

export type FromWorker =
  | { type: 'progress'; loaded: number; total: number }
  | { type: 'waiting' } // another window of this browser has the tables
  | { type: 'ready'; durable: boolean } // not durable: the browser stores nothing, as in a private window
  | { type: 'failed'; reason: string }
  | { type: 'answer'; id: number; ok: boolean; body: Uint8Array<ArrayBuffer> }
  | { type: 'opened'; number: number }
  | { type: 'frame'; number: number; data: string }
  | { type: 'closed'; number: number };
