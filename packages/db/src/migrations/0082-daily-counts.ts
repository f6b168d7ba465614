import type { AnyMigration } from '../online-migrations.ts';
import { runAll } from '../run-all.ts';

/** What accounts created today. Each row is updated often, in pages that have room for its next versions. */
export const dailyCounts: AnyMigration = {
  up: runAll([
    `create table daily_counts (
      account_id uuid not null references users on delete cascade,
      name text not null,
      day date not null,
      count integer not null,
      primary key (account_id, name)
    ) with (fillfactor = 50)`,
  ]),
  down: runAll(['drop table daily_counts']),
};
