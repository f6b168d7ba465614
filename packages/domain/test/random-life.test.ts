import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import type { Actor } from '@uprez/domain/actor';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { expireJobs } from '@uprez/domain/jobs/expire-jobs';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { writeResult } from '@uprez/testing/deliver-job';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { testSeed } from '@uprez/testing/random';
import { backdateAttempt } from '@uprez/testing/use-seconds';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Attempt, claimNextJob, renewLease } from '../src/jobs/attempts/claim-next-job.ts';
import { beginResult, completeJob } from '../src/jobs/attempts/complete-job.ts';
import { failExpiredLeases, failJob, returnJob } from '../src/jobs/attempts/fail-job.ts';
import { deleteMarkedObjects } from '../src/uploads/delete-objects.ts';

const sequences = 300;

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
});
afterAll(() => ctx.close());

/** The state of a sequence: its jobs, all attempts including lost ones, and the outcome of each job. */
type World = {
  actors: Actor[];
  jobs: { id: string; actor: Actor }[];
  attempts: Attempt[];
  outcomes: Map<string, 'open' | 'delivered' | 'undelivered'>;
};
type Step = { name: keyof typeof steps; pick: number };

const at = <T>(list: readonly T[], pick: number) => (list.length > 0 ? list[pick % list.length] : undefined);
const note = (world: World, job: Pick<JobRow, 'id'> | undefined, outcome: 'delivered' | 'undelivered') => {
  if (job) world.outcomes.set(job.id, outcome);
};

/** Returns a step that acts on an attempt, which may have lost its job. */
const forAttempt =
  (verb: (world: World, attempt: Attempt) => Promise<unknown>) => async (world: World, pick: number) => {
    const attempt = at(world.attempts, pick);
    if (attempt) await verb(world, attempt);
  };
const fail = (code: 'processing_crashed' | 'corrupt_image') =>
  forAttempt(async (world, attempt) => {
    const job = await failJob(ctx, { ...attempt, code, retryBaseS: 0 });
    if (job?.status === 'failed') note(world, job, 'undelivered');
  });

const steps = {
  create: async (world: World, pick: number) => {
    const actor = at(world.actors, pick);
    if (!actor) return;
    const { job } = await makeJob(ctx, actor);
    world.jobs.push({ id: job.id, actor });
    world.outcomes.set(job.id, 'open');
  },
  claim: async (world: World) => {
    const claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
    if (claim) world.attempts.push({ jobId: claim.job.id, attempt: claim.job.attempt });
  },
  renew: forAttempt((_, attempt) => renewLease(ctx, { ...attempt, leaseS: 30, progress: 50 })),
  complete: forAttempt(async (world, attempt) => {
    const slots = await beginResult(ctx, attempt);
    if (slots) note(world, await completeJob(ctx, await writeResult(ctx, attempt, slots)), 'delivered');
  }),
  crash: fail('processing_crashed'),
  refuse: fail('corrupt_image'),
  giveBack: forAttempt((_, attempt) => returnJob(ctx, { ...attempt, delayS: 0 })),
  remove: async (world: World, pick: number) => {
    const job = at(world.jobs, pick);
    if (!job) return;
    const deletion = await deleteJob(ctx, { actor: job.actor, id: job.id });
    // A late cancellation keeps the unit, like a delivery.
    const outcome = deletion.job.cancelUnits > 0 ? 'delivered' : 'undelivered';
    if (deletion.kind === 'cancelled') note(world, deletion.job, outcome);
  },
  age: forAttempt((_, { jobId }) => backdateAttempt(ctx.db, jobId, 60)),
  silence: async (world: World, pick: number) => {
    const attempt = at(world.attempts, pick);
    if (!attempt) return;
    await ctx.db
      .updateTable('jobLeases')
      .set({ leaseUntil: sql<Date>`now() - interval '1 second'` })
      .where('jobId', '=', attempt.jobId)
      .execute();
    await failExpiredLeases(ctx, 0);
    const { status } = await ctx.db
      .selectFrom('jobs')
      .select('status')
      .where('id', '=', attempt.jobId)
      .executeTakeFirstOrThrow();
    if (status === 'failed') world.outcomes.set(attempt.jobId, 'undelivered');
  },
  expire: async () => {
    await ctx.db.updateTable('jobs').set({ expiresAt: sql<Date>`now()` }).where('status', '=', 'completed').execute();
    await expireJobs(ctx);
  },
  sweep: () => deleteMarkedObjects(ctx, 86_400),
} satisfies Record<string, (world: World, pick: number) => Promise<unknown>>;

const weights: Record<keyof typeof steps, number> = {
  create: 6,
  claim: 8,
  renew: 2,
  complete: 5,
  crash: 4,
  refuse: 1,
  giveBack: 2,
  remove: 2,
  age: 2,
  silence: 2,
  expire: 1,
  sweep: 1,
};
const names = Object.entries(weights).flatMap(([name, weight]) =>
  Array<Step['name']>(weight).fill(name as Step['name']),
);
const anyStep: fc.Arbitrary<Step> = fc.record({ name: fc.constantFrom(...names), pick: fc.nat(20) });

async function checkBooks(world: World): Promise<void> {
  expect((await checkLedger(ctx)).errors).toEqual([]);
  const rows = await sql<{ accountId: string; units: number }>`
    select account_id as "accountId", sum(units) as units from ledger where kind not in ('grant', 'expire') group by account_id`.execute(
    ctx.db,
  );
  const balances = new Map(rows.rows.map(({ accountId, units }) => [accountId, units]));
  for (const { accountId } of world.actors) {
    const mine = world.jobs.filter(({ actor }) => actor.accountId === accountId);
    const taken = mine.filter(({ id }) => world.outcomes.get(id) !== 'undelivered').length;
    expect(balances.get(accountId) ?? 0).toBe(taken === 0 ? 0 : -taken);
  }
}

test(`the ledger is consistent after ${sequences} random job histories`, async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 24 }), async (life) => {
      const actors = await Promise.all([makeUser(ctx.db), makeUser(ctx.db), makeUser(ctx.db, 'pro')]);
      const world: World = { actors, jobs: [], attempts: [], outcomes: new Map() };
      for (const { name, pick } of life) await steps[name](world, pick);
      await checkBooks(world);
      for (const { status } of await ctx.db.selectFrom('jobs').select('status').execute()) met.add(status);
      await ctx.db.deleteFrom('users').execute();
      await ctx.db.updateTable('objects').set({ state: 'deleting' }).execute();
      await deleteMarkedObjects(ctx, 86_400);
    }),
    { seed: testSeed, numRuns: sequences, endOnFailure: true },
  );
  // The histories must include every status.
  expect([...met].toSorted()).toEqual(['cancelled', 'completed', 'expired', 'failed', 'processing', 'queued']);
}, 300_000);
