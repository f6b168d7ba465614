import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** When the owner of a batch paused it. */
export const pausedBatches: Migration = {
  up: runAll(['alter table batches add column paused_at timestamptz']),
  down: runAll(['alter table batches drop column paused_at']),
};
