import { percentile } from '@uprez/testing/bench-report';
import type { Samples } from './open-honest-user.ts';
import type { Resources } from './read-resources.ts';

/** How much slower another user may become, at the 95th percentile. */
const slowdown = 2;

/**
 * Times below these pass at any ratio. On two cores, the services, the databases, the other user, and whatever else runs
 * take turns, and quiet calls take few milliseconds, so a ratio alone would measure the scheduler: reads wait for several
 * time slices, sign-ins for those of a password hash, too, and few are measured, so that their p95 is the slowest one. Uploads
 * wait for dozens, since they take ten statements, a file, and an inspection process. Small jobs share one slot. What these
 * attacks once caused is far above: 14 s for reads, 45 s for uploads.
 */
export const floorsMs = { reads: 250, 'sign-ins': 750, uploads: 1_500, jobs: 2_000 };
type Kind = keyof typeof floorsMs;
export type Floors = Record<Kind, number>;

const p95 = (values: readonly number[]) => percentile(values, 0.95);

/** Returns the kinds of calls that were slower than allowed, and failed calls. */
export function judgeSamples(quiet: Samples, during: Samples, floors: Floors): string[] {
  const kinds = Object.keys(floors) as Kind[];
  const slow = kinds.flatMap((kind) => {
    const [was, is] = [p95(quiet[kind]), p95(during[kind])];
    const most = Math.max(slowdown * was, floors[kind]);
    if (Number.isNaN(is)) return [`the other user got no ${kind}`];
    return is <= most ? [] : [`p95 of ${kind} was ${is.toFixed(0)} ms, at most ${most.toFixed(0)} ms are allowed`];
  });
  return [...slow, ...during.errors.map((error) => `the other user got ${error}`)];
}

/**
 * What may remain: database connections that the pools keep for a while, connections of the other user, and memory that
 * the runtime keeps for later. After floods of large bodies, glibc keeps about 200 MB that were freed, which `malloc_trim` would
 * release. What leaks per request or per connection is far more, since attacks repeat hundreds of times. Children have a limit
 * of their own, and may keep the memory of their largest image until they are replaced.
 */
export const spare = { descriptors: 32, connections: 32, memoryMb: 300 };

/** Returns the resources of each service that are above those before. */
export function findRemains(before: Record<string, Resources>, now: Record<string, Resources>): string[] {
  return Object.entries(before).flatMap(([service, was]) => {
    const is = now[service];
    if (!is) return [`the ${service} isn't running`];
    const kinds = Object.keys(spare) as (keyof typeof spare)[];
    const more = kinds.filter((kind) => is[kind] > was[kind] + spare[kind]);
    return more.map((kind) => `${service}: ${kind} ${was[kind].toFixed(0)} before, ${is[kind].toFixed(0)} after`);
  });
}
