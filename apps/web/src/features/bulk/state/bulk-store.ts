import type { Meter } from '@uprez/contracts/policy/plans/meters';
import type { Batch } from '@uprez/contracts/schemas/jobs/batch';
import { create } from 'zustand';
import type { RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import type { ExtraFile } from './add-to-list.ts';
import type { Row } from './row.ts';

/** Request for a new batch. Retries use the same idempotency key, so only one batch is created. */
export type BatchRequest = { key: string; rowIds: readonly string[]; recipe: RecipeSettings; acceptPartial: boolean };

/** `needs` and `have` are in credits. */
export type Shortage = { meter: Meter; needs: number; have: number; resetsAt?: string | undefined };

export type BulkState = {
  /** Undefined until the list is loaded. */
  userId?: string | undefined;
  /** Whether this tab saves its list. Only a saved list survives a reload. */
  keeps: boolean;
  rows: readonly Row[];
  extraFiles: readonly ExtraFile[];
  batches: Readonly<Record<string, Batch>>;
  runIds: readonly string[];
  /** Requests for new batches, one per recipe. The first one is in progress. */
  requests: readonly BatchRequest[];
  /** The last request with an unknown outcome. The server may have created the batch. */
  unconfirmedRequest?: BatchRequest | undefined;
  settingsOpen: boolean;
  /** The list before it was cleared, for undo. */
  cleared?: Pick<BulkState, 'rows' | 'extraFiles' | 'batches'> | undefined;
  starting: boolean;
  /** Whether the run is paused. Files that haven't been uploaded stay in the browser until the run resumes. */
  paused: boolean;
  cancelling: boolean;
  /** Whether the session has ended. Uploads pause until the next sign-in. */
  signedOut: boolean;
  /** Whether a request is being retried because it got no response or was asked to wait. */
  stalled: boolean;
  shortage?: Shortage | undefined;
  error?: string | undefined;
};

export const emptyList = {
  rows: [],
  extraFiles: [],
  batches: {},
  runIds: [],
  requests: [],
  unconfirmedRequest: undefined,
  settingsOpen: true,
  cleared: undefined,
  starting: false,
  paused: false,
  cancelling: false,
  signedOut: false,
  stalled: false,
  shortage: undefined,
  error: undefined,
} as const satisfies Omit<BulkState, 'userId' | 'keeps'>;

export const useBulk = create<BulkState>(() => ({ ...emptyList, keeps: true }));
export const { getState: getBulk, setState: setBulk } = useBulk;

export function changeRow(id: string, change: (row: Row) => Row): void {
  setBulk(({ rows }) => {
    const index = rows.findIndex((row) => row.id === id);
    const row = rows[index];
    return row ? { rows: rows.with(index, change(row)) } : {};
  });
}

export const findRow = (id: string) => getBulk().rows.find((row) => row.id === id);
