import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** An index for the table of users, by the time of the sign-up. */
export const userLists: Migration = {
  up: runAll(['create index users_created on users (created_at, id)']),
  down: runAll(['drop index users_created']),
};
