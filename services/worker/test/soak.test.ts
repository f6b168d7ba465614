import { setTimeout } from 'node:timers/promises';
import { fileFixture } from '@uprez/testing/fixtures';
import { collectGarbage, inspectedEnv } from '@uprez/testing/products/collect-garbage';
import type { SpawnedService } from '@uprez/testing/products/spawn-service';
import { makeRandom, testSeed } from '@uprez/testing/random';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { countByStatus, openChaos, readMetric, repeats, serviceOf, submit } from './chaos.ts';

const chaos = fileFixture(() => openChaos({ env: { WORKER_CONCURRENCY: '2', ...inspectedEnv } }));

const jobs = repeats(24, 20_000);
/** A full run spreads its jobs, which leaves the processor to the tests beside it. */
const lastingMs = repeats(0, 2 * 3_600_000);
/** Jobs that wait or run at the same time, at most. */
const atOnce = 8;
const samples = repeats(12, 48);
/** The first samples, in which caches and pools fill. */
const warmUp = samples / 3;
/** A reading varies by 1% between collections, so the lowest of some counts. */
const readings = repeats(1, 4);
const names = ['gateway', 'worker', 'dispatcher'] as const;

const random = makeRandom(testSeed);
/** Small: leaks grow with the number of jobs, not with their pixels. */
const images = [
  { width: 80, height: 60, format: 'png' },
  { width: 200, height: 150, format: 'webp' },
  { width: 480, height: 320, format: 'jpeg' },
];

type Sample = { atS: number; startedS: number; rssMb: number; descriptors: number };

/** Reads what operators see of a process, without its garbage, of which it keeps more or less. */
async function readProcess(service: SpawnedService): Promise<Sample> {
  let rssMb = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < readings; reading += 1) {
    await collectGarbage(service);
    rssMb = Math.min(rssMb, (await readMetric(service, 'process_resident_memory_bytes')) / 1024 ** 2);
  }
  return {
    atS: performance.now() / 1_000,
    startedS: await readMetric(service, 'process_start_time_seconds'),
    rssMb,
    descriptors: await readMetric(service, 'process_open_fds'),
  };
}

/** Runs jobs of mixed sizes and formats, spread over `ms`. Returns their number. */
async function runJobs(count: number, ms: number): Promise<number> {
  const beginMs = performance.now();
  let started = 0;
  const runInTurn = async () => {
    while (started < count) {
      const dueMs = beginMs + (started * ms) / count;
      started += 1;
      await setTimeout(Math.max(0, dueMs - performance.now()));
      const { width = 0, height = 0, format = '' } = images[random(images.length)] ?? {};
      const id = await submit(chaos.user, { width, height, fields: { scaleFactor: '2', format } });
      const isCompleted = async () => (await chaos.user.client.getJob({ params: { id } })).data.status === 'completed';
      await waitUntil(isCompleted, { timeoutMs: 120_000, everyMs: 250, what: `job ${id} completed` });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runInTurn));
  return started;
}

/** Returns the growth per hour of the memory, as a share of its mean (least squares). */
function slopePerHour(points: readonly Sample[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(({ atS }) => atS)), mean(points.map(({ rssMb }) => rssMb))];
  const over = points.reduce((sum, { atS, rssMb }) => sum + (atS - x) * (rssMb - y), 0);
  const under = points.reduce((sum, { atS }) => sum + (atS - x) ** 2, 0);
  return (over / under / y) * 3_600;
}

/** What the warm samples say of a service. */
function report(all: readonly Sample[]) {
  const warm = all.slice(warmUp);
  const [first, last] = [warm[0], warm.at(-1)];
  return {
    starts: new Set(all.map(({ startedS }) => startedS)).size,
    moreDescriptors: (last?.descriptors ?? 0) - (first?.descriptors ?? 0),
    rssMb: all.map(({ rssMb }) => Math.round(rssMb)).join(' '),
    percentPerHour: slopePerHour(warm) * 100,
  };
}

it(
  `R16: no service restarts or leaks in ${jobs} mixed jobs`,
  async () => {
    const { product } = chaos;
    const seen = new Map(names.map((name) => [name, [] as Sample[]]));
    let ran = 0;
    for (let sample = 0; sample < samples; sample += 1) {
      ran += await runJobs(jobs / samples, lastingMs / samples);
      for (const name of names) seen.get(name)?.push(await readProcess(serviceOf(product, name)));
    }
    await product.settle(repeats(60_000, 300_000));
    expect((await countByStatus(product)).completed).toBe(ran);
    expect(product.services.map((service) => service.process.exitCode)).toEqual(product.services.map(() => null));
    const reports = [...seen].map(([name, all]) => ({ name, ...report(all) }));
    if (lastingMs > 0) console.log(`${ran} jobs`, reports);
    // Connections of pools come and go.
    const isFine = { starts: 1, moreDescriptors: expect.toSatisfy((count: number) => count <= 10) };
    // In a short run, caches and pools have not filled.
    const isFlat = lastingMs > 0 ? { percentPerHour: expect.toSatisfy((percent: number) => percent <= 1) } : {};
    expect(reports).toMatchObject(names.map((name) => ({ name, ...isFine, ...isFlat })));
  },
  repeats(300_000, 4 * 3_600_000),
);
