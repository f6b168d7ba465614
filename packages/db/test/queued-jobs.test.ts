import { fileFixture } from '@uprez/testing/fixtures';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { readQueue } from '../src/queries/jobs/queued-jobs.ts';

const database = fileFixture(openTestDatabase);

it('reads the seconds of jobs that were stored without an estimate from their plans', async () => {
  const { db } = database;
  const insertJob = (seconds: number, estimated: number | null) => {
    const plan = JSON.stringify({ estimate: { seconds } });
    return sql`
      insert into jobs (id, kind, status, recipe, plan, filename, source_bytes, estimated_seconds)
      values (gen_random_uuid(), 'image', 'queued', '{}', ${plan}, 'a.png', 1, ${estimated})`.execute(db);
  };
  await insertJob(7, null);
  await insertJob(1, 8);
  const { jobs } = await readQueue(db, 10);
  expect(jobs.map(({ seconds }) => seconds)).toEqual([7, 8]);
});
