import { findJob } from '@uprez/db/queries/jobs/jobs';
import { createJob, type NewJob } from '@uprez/domain/jobs/create-job';
import { makeNewJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openRedisProbe } from '@uprez/testing/redis';
import type { openVerbs } from '../support/open-verbs.ts';
import { readServer } from './sample-server.ts';

const accounts = 50;
const jobs = 300;
const reads = 1_000;
/** Calls before each measurement, which prepare the statements of the connections. */
const warmUps = 100;

type Verbs = ReturnType<typeof openVerbs>;
type Probe = ReturnType<typeof openRedisProbe>;
type Servers = { verbs: Verbs; probe: Probe };
type Constants = Record<string, number>;

/** Measures what creating and reading a job costs, per call: CPU times in milliseconds, and kilobytes. */
export async function measureConstants(verbs: Verbs, redis: { url: string; prefix: string }) {
  const probe = openRedisProbe(redis);
  const actors = await Promise.all(Array.from({ length: accounts }, () => makeUser(verbs.db, 'enterprise')));
  const created: string[] = [];
  const create = async (count: number) => {
    const inputs: NewJob[] = [];
    for (const actor of Array.from({ length: count / accounts }, () => actors).flat())
      inputs.push(await makeNewJob(verbs, actor));
    return perCall({ verbs, probe }, count, async () => {
      for (const input of inputs) created.push((await createJob(verbs, input)).job.id);
    });
  };
  const read = (count: number) =>
    perCall({ verbs, probe }, count, async () => {
      for (let n = 0; n < count; n += 1) await findJob(verbs.db, created[n % created.length] ?? '');
    });
  await create(warmUps);
  const creating = await create(jobs);
  await read(warmUps);
  const table = { 'creating a job': creating, 'reading a job': await read(reads) };
  await verbs.db.deleteFrom('jobs').where('id', 'in', created).execute();
  probe.close();
  return table;
}

async function perCall({ verbs, probe }: Servers, calls: number, work: () => Promise<void>): Promise<Constants> {
  const before = { ...(await readServer(verbs.db)), ...(await readRedis(probe)), node: process.cpuUsage() };
  await work();
  const after = { ...(await readServer(verbs.db)), ...(await readRedis(probe)) };
  const { user, system } = process.cpuUsage(before.node);
  const row = {
    'CPU of Node.js, ms': (user + system) / 1_000,
    'CPU of PostgreSQL, ms': after.cpuMs - before.cpuMs,
    'CPU of Redis, ms': after.cpuOfRedis - before.cpuOfRedis,
    'WAL, kB': (after.walBytes - before.walBytes) / 1_000,
    'memory of Redis, kB': (after.redisBytes - before.redisBytes) / 1_000,
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number((value / calls).toFixed(3))]));
}

async function readRedis(probe: Probe): Promise<{ cpuOfRedis: number; redisBytes: number }> {
  const text = `${await probe.client.info('cpu')}${await probe.client.info('memory')}`;
  const figureOf = (name: string) => Number(new RegExp(`${name}:([0-9.]+)`).exec(text)?.[1]);
  return {
    cpuOfRedis: 1_000 * (figureOf('used_cpu_sys') + figureOf('used_cpu_user')),
    redisBytes: figureOf('used_memory'),
  };
}
