import { setTimeout as delay } from 'node:timers/promises';
import type { Attack, Found, World } from './attack.ts';
import { type Floors, findRemains, judgeSamples } from './judge.ts';
import { type Samples, waitForJobs } from './open-honest-user.ts';
import { type Disk, readDisk, watchDisk } from './read-disk.ts';
import { readFreeSeconds } from './read-free-seconds.ts';
import { type Resources, readHeldResources, watchPeak } from './read-resources.ts';
import { isUnavailable, redisWarnings } from './redis-failures.ts';
import { type Attacker, startAttacker } from './start-attacker.ts';

/** Warnings and errors of services are these levels and higher. */
const warnLevel = 40;
/** What services report when they start without networks and without a mail server, as here, and about their inspector. */
const startWarnings = /\.onnx is missing or damaged|no mail server configured|^Debugger |^For help, see: /;
const recoveryMs = 60_000;
/** The other user is measured at least this long, and as long as the attack should take. */
const leastMs = 2_000;

export type Baseline = { samples: Samples; resources: Record<string, Resources> };
export type Outcome = Pick<Found, 'facts' | 'before' | 'peak' | 'disk' | 'freeSeconds'> & {
  name: string;
  quiet: Samples;
  during: Samples;
  after: Samples;
  remains: Record<string, Resources>;
  diskAfter: Disk;
  logLines: string[];
  failures: string[];
};

export type RunOptions = {
  baseline: Baseline;
  seconds: number;
  /** Duration of the measurement after the attack, which is the quiet one of the next attack. */
  quietMs: number;
  /** Times of the other user that pass at any ratio. Without them, its times and errors aren't judged. */
  floors?: Floors;
  /**
   * Makes Redis fail in the middle of the attack. Its rules and the times meanwhile aren't judged then, only that no call of the
   * other user fails otherwise than with 503, and that none fails afterward.
   */
  failRedis?: (() => Promise<void>) | undefined;
};

/** Measures the other user and the resources of the services without an attack. */
export async function readBaseline({ honest, product }: World, quietMs: number): Promise<Baseline> {
  const samples = await honest.measure(AbortSignal.timeout(quietMs));
  return { samples, resources: await readHeldResources(product.services) };
}

/** Runs an attack while another user is measured, waits until the services have recovered, and judges both. */
export async function runAttack(world: World, attack: Attack, options: RunOptions): Promise<Outcome> {
  const { product, honest } = world;
  const { samples: quiet, resources: before } = options.baseline;
  const readLogs = watchLogs(world);
  const from = new Date();
  const diskBefore = await readDisk(product);
  const { diskPeak, ...measured } = await measureDuring(world, attack, options);
  await waitForJobs(product.db);
  const freeSeconds = await readFreeSeconds(world, from);
  const found = { before, ...measured, disk: { before: diskBefore, peak: diskPeak }, freeSeconds };
  const remains = await waitForRecovery(world, before);
  const diskAfter = await readDisk(product);
  const after = await honest.measure(AbortSignal.timeout(options.quietMs));
  const logLines = readLogs();
  const isExpected = (line: string) =>
    attack.warnings?.test(line) || (options.failRedis !== undefined && redisWarnings.test(line));
  const failures = [
    ...(options.failRedis
      ? found.during.errors.filter((error) => !isUnavailable(error)).map((error) => `the other user got ${error}`)
      : await findBrokenRules(attack, { world, ...found })),
    ...judgeTimes(attack, { quiet, after, during: found.during }, options),
    ...findRemains(before, remains),
    ...logLines.filter((line) => !isExpected(line)).map((line) => `log: ${line.slice(0, 500)}`),
  ];
  return { name: attack.name, quiet, after, remains, diskAfter, logLines, failures, ...found };
}

/** Prepares and runs an attack. Its process has ended afterward, and with it all of its connections. */
async function measureDuring(world: World, attack: Attack, { seconds, failRedis }: RunOptions) {
  const { product, accounts, honest } = world;
  const input = (await attack.prepare?.(world)) ?? {};
  const stop = new AbortController();
  const watch = watchPeak(product.services);
  const diskWatch = watchDisk(product);
  let attacker: Attacker | undefined;
  try {
    attacker = await startAttacker(attack, { url: product.url, accounts, seconds, input });
    const measured = honest.measure(stop.signal);
    const durationMs = Math.max(leastMs, 1_000 * seconds);
    const [facts] = await Promise.all([
      // An attack may need what fails meanwhile.
      failRedis ? attacker.facts.catch(() => ({})) : attacker.facts,
      delay(durationMs),
      failRedis && delay(durationMs / 2).then(failRedis),
    ]).finally(() => stop.abort());
    return { input, facts, during: await measured, peak: watch.stop(), diskPeak: await diskWatch.stop() };
  } finally {
    watch.stop();
    await diskWatch.stop();
    await attacker?.end();
    await attack.restore?.(world, input);
  }
}

/** Returns a function that lists the lines above the level info since now. */
function watchLogs({ product }: World): () => string[] {
  const from = new Map(product.services.map((service) => [service, service.lines.length]));
  const isHigh = (line: string) =>
    (!line.startsWith('{') || JSON.parse(line).level >= warnLevel) && !startWarnings.test(line);
  return () => product.services.flatMap((service) => service.lines.slice(from.get(service) ?? 0).filter(isHigh));
}

/** Waits until the resources are as before. Returns the last ones, also when they aren't. */
async function waitForRecovery({ product }: World, before: Record<string, Resources>) {
  const deadline = Date.now() + recoveryMs;
  let last = await readHeldResources(product.services);
  while (findRemains(before, last).length > 0 && Date.now() < deadline) {
    await delay(500);
    last = await readHeldResources(product.services);
  }
  return last;
}

async function findBrokenRules(attack: Attack, found: Found): Promise<string[]> {
  const rules = Object.entries(await attack.check(found));
  return rules.filter(([, holds]) => !holds).map(([rule]) => `not true: ${rule} (${JSON.stringify(found.facts)})`);
}

type Times = Record<'quiet' | 'during' | 'after', Samples>;

/** Jobs of the other user may wait for one job of the attack that already runs. */
function judgeTimes({ runningJobMs = 0 }: Attack, { quiet, during, after }: Times, { floors, failRedis }: RunOptions) {
  if (!floors) return [];
  return [
    ...(failRedis ? [] : judgeSamples(quiet, during, { ...floors, jobs: floors.jobs + runningJobMs })),
    ...judgeSamples(quiet, after, floors).map((failure) => `after the attack: ${failure}`),
  ];
}
