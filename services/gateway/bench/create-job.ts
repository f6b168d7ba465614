import type { Actor } from '@uprez/domain/actor';
import { createJob } from '@uprez/domain/jobs/create-job';
import { beginUpload } from '@uprez/domain/uploads/begin-upload';
import { describeMachine } from '@uprez/testing/bench-report';
import { makeNewJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { startGatewayBench } from './support/open-verbs.ts';
import { latencyRow } from './support/print-latencies.ts';
import { seedJobs } from './support/seed-jobs.ts';

/**
 * How long it takes to create a job once its image is stored: row, unit, source, wake-up; beside one insert of the
 * same database. One after another, several accounts at once, and several calls of one account, whose units are taken
 * in turns. Tables as full as those of the dashboard's bench. Run by `npm run bench:create-job`.
 */
const each = 400;
const parallel = 4;

const { verbs, close } = await startGatewayBench();

/** Times of `each` calls in milliseconds, by as many lanes as there are actors; what a call needs is made before its clock starts. */
async function measure<T>(
  actors: readonly Actor[],
  prepare: (actor: Actor) => Promise<T>,
  call: (prepared: T, actor: Actor) => Promise<unknown>,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  const runLane = async (actor: Actor) => {
    for (let n = 0; n < each / actors.length; n += 1) {
      const prepared = await prepare(actor);
      const start = performance.now();
      await call(prepared, actor);
      latenciesMs.push(performance.now() - start);
    }
  };
  await Promise.all(actors.map(runLane));
  return latenciesMs;
}

try {
  // No hard stop, so units never end.
  const accounts = await Promise.all(Array.from({ length: parallel }, () => makeUser(verbs.db, 'enterprise')));
  const [first] = accounts as [Actor];
  await seedJobs(verbs, { actor: first, all: 100_000, own: 20_000, days: 30 });
  const create = (actors: readonly Actor[]) =>
    measure(
      actors,
      (actor) => makeNewJob(verbs, actor),
      (job) => createJob(verbs, job),
    );
  await create([first]);
  console.log(describeMachine());
  console.log(`Milliseconds of ${each} calls; goal of a job: p95 <= 40 ms`);
  console.table({
    'one insert': latencyRow(
      await measure(
        [first],
        () => Promise.resolve(),
        (_, actor) => beginUpload(verbs, { actor }),
      ),
    ),
    'createJob, one at a time': latencyRow(await create([first])),
    [`createJob, ${parallel} accounts at once`]: latencyRow(await create(accounts)),
    [`createJob, ${parallel} at once of one account`]: latencyRow(await create(accounts.map(() => first))),
  });
} finally {
  await close();
}
