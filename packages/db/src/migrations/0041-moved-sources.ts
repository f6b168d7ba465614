import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Tells a failed job whose original is used by a retry from one whose original was deleted. */
export const movedSources: Migration = {
  // The default is constant, so the table isn't rewritten.
  up: runAll(['alter table jobs add source_moved boolean not null default false']),
  down: runAll(['alter table jobs drop source_moved']),
};
