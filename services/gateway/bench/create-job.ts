import type { Actor } from '@uprez/domain/actor';
import { createJob } from '@uprez/domain/jobs/create-job';
import { beginUpload } from '@uprez/domain/uploads/begin-upload';
import { reportResults } from '@uprez/testing/bench-report';
import { makeNewJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { startGatewayBench } from './support/open-verbs.ts';
import { latencyRow } from './support/print-latencies.ts';
import { seedJobs } from './support/seed-jobs.ts';

/**
 * Measures the time to create a job whose image is stored, next to one insert in the same database: sequentially,
 * concurrently for several accounts, and concurrently for one account, which locks its units. The tables have as many
 * rows as in the dashboard bench. Run by `npm run bench:create-job`.
 */
const each = 400;
const parallel = 4;

const { verbs, close } = await startGatewayBench();

/** Returns the times of `each` calls in milliseconds, one concurrent call per actor. Excludes `prepare`. */
async function measure<T>(
  actors: readonly Actor[],
  prepare: (actor: Actor) => Promise<T>,
  call: (prepared: T, actor: Actor) => Promise<unknown>,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  const callInTurn = async (actor: Actor) => {
    for (let n = 0; n < each / actors.length; n += 1) {
      const prepared = await prepare(actor);
      const start = performance.now();
      await call(prepared, actor);
      latenciesMs.push(performance.now() - start);
    }
  };
  await Promise.all(actors.map(callInTurn));
  return latenciesMs;
}

try {
  // The plan has no hard stop, so units never run out.
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
  console.log(`Milliseconds of ${each} calls; goal of a job: p95 <= 40 ms`);
  reportResults('create-job', {
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
