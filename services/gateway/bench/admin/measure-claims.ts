import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { type Figures, percentile, printTable } from '@uprez/testing/bench-report';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { sql } from 'kysely';
import { latencyRow } from '../support/print-latencies.ts';
import type { AdminBench } from './open-admin-bench.ts';

const paused = 10_000;
const claims = 100;
const rounds = 3;

type Verbs = AdminBench['verbs'];

/** Claims with jobs of a paused engine before all others of the same account, next to claims without them, in turn. */
export async function measureClaims({ verbs, withBulkDb }: AdminBench): Promise<Figures> {
  const actor = await makeUser(verbs.db, 'enterprise');
  const { job } = await makeJob(verbs, actor, { engine: 'photo', seconds: 1 });
  const latencies = { without: [] as number[], behind: [] as number[] };
  try {
    for (let round = 0; round < rounds; round += 1)
      for (const [name, count] of [
        ['without', 0],
        ['behind', paused],
      ] as const) {
        await verbs.db.deleteFrom('jobs').where('status', '=', 'queued').where('id', '!=', job.id).execute();
        await withBulkDb((db) => copyJob(db, { id: job.id, count, engine: 'photo', ageS: 60 }));
        await withBulkDb((db) => copyJob(db, { id: job.id, count: claims, engine: 'standard', ageS: 30 }));
        await upsertSettings(verbs.db, 'jobs', { pausedEngines: count > 0 ? ['photo'] : [] });
        await verbs.db
          .updateTable('jobs')
          .set({ status: count > 0 ? 'queued' : 'expired' })
          .where('id', '=', job.id)
          .execute();
        latencies[name].push(...(await claimAll(verbs)));
      }
  } finally {
    await upsertSettings(verbs.db, 'jobs', { pausedEngines: [] });
    await verbs.db.deleteFrom('jobs').where('accountId', '=', actor.accountId).execute();
  }
  const [p50, p95] = [0.5, 0.95].map((p) => percentile(latencies.behind, p) / percentile(latencies.without, p));
  printTable(`Milliseconds of a claim; ${rounds} rounds of ${claims} claims`, {
    'no paused jobs': latencyRow(latencies.without),
    [`behind ${paused} paused jobs`]: latencyRow(latencies.behind),
  });
  return {
    [`claim behind ${paused} paused jobs, ratio of p50`]: { value: p50 ?? Infinity, atMost: 2, unit: 'times' },
    [`claim behind ${paused} paused jobs, ratio of p95`]: { value: p95 ?? Infinity, atMost: 2, unit: 'times' },
  };
}

async function claimAll(verbs: Verbs): Promise<number[]> {
  const latenciesMs: number[] = [];
  for (let claimed = 0; claimed < claims; claimed += 1) {
    const start = performance.now();
    const claim = await claimNextJob(verbs, { workerId: 'bench', leaseS: 3_600 });
    latenciesMs.push(performance.now() - start);
    if (claim?.job.plan.engine !== 'standard') throw new Error('a claim found no job of a running engine');
  }
  return latenciesMs;
}

type Copies = { id: string; count: number; engine: string; ageS: number };

/** Adds queued copies of a job. */
async function copyJob(db: Verbs['db'], { id, count, engine, ageS }: Copies): Promise<void> {
  await sql`
    insert into jobs (id, account_id, status, recipe, plan, filename, source_bytes, source_id, estimated_seconds, created_at,
      updated_at, expires_at)
    select gen_random_uuid(), account_id, 'queued', recipe, plan || jsonb_build_object('engine', ${engine}::text), filename,
      source_bytes, null, estimated_seconds, now() - make_interval(secs => ${ageS}::int), now(), now() + interval '1 day'
    from jobs, generate_series(1, ${count}::int) where id = ${id}`.execute(db);
}
