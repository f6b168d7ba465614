import type { Batch } from '@uprez/contracts/schemas/batch';
import { create } from 'zustand';
import type { Row } from './list/row.ts';
import type { Aside } from './list/take-in.ts';
import type { BulkSettings } from './settings/bulk-settings.ts';

/** The request for a new batch. It is repeated with the same idempotency key, so that it creates one batch. */
export type Order = { key: string; rowIds: readonly string[]; recipe: BulkSettings; acceptPartial: boolean };

/** More was asked for than there are units. */
export type Shortage = { needs: number; have: number; resetsAt?: string | undefined };

export type BulkState = {
  /** Whose list this is; undefined until it was looked for. */
  userId?: string | undefined;
  /** Whether this tab is the one whose list comes back after a reload. */
  keeps: boolean;
  rows: readonly Row[];
  aside: readonly Aside[];
  /** As last answered, by id. */
  batches: Readonly<Record<string, Batch>>;
  /** Ids of the rows that the present run is about. */
  asked: readonly string[];
  order?: Order | undefined;
  /** The last order that failed without a definite outcome: the batch may exist. */
  unconfirmed?: Order | undefined;
  starting: boolean;
  cancelling: boolean;
  /** The session ended: nothing is sent until somebody has signed in. */
  signedOut: boolean;
  /** A call had no answer, or was told to wait; it is repeated. */
  stalled: boolean;
  shortage?: Shortage | undefined;
  /** Why the last run did not start. */
  problem?: string | undefined;
};

export const emptyList = {
  rows: [],
  aside: [],
  batches: {},
  asked: [],
  order: undefined,
  unconfirmed: undefined,
  starting: false,
  cancelling: false,
  signedOut: false,
  stalled: false,
  shortage: undefined,
  problem: undefined,
} as const satisfies Omit<BulkState, 'userId' | 'keeps'>;

export const useBulk = create<BulkState>(() => ({ ...emptyList, keeps: true }));

export const { getState: getBulk, setState: setBulk } = useBulk;

/** Change one row, if it is still in the list. */
export function changeRow(id: string, change: (row: Row) => Row): void {
  setBulk(({ rows }) => {
    const index = rows.findIndex((row) => row.id === id);
    const row = rows[index];
    return row ? { rows: rows.with(index, change(row)) } : {};
  });
}

export const findRow = (id: string) => getBulk().rows.find((row) => row.id === id);
