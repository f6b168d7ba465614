import type { Answers } from '../load/send-at-rate.ts';
import type { Requests } from '../load/send-requests.ts';
import { runChild } from '../load/start-child.ts';
import { answersRow } from '../support/print-latencies.ts';
import type { AdminBench } from './open-admin-bench.ts';

export const load = { perSecond: 5, warmUpS: 2, seconds: 20 };

/** Requests each path at the rate of `load`, and returns its latencies. */
export async function readPaths({ product, cookie }: AdminBench, paths: Record<string, string>) {
  const rows: Record<string, ReturnType<typeof answersRow>> = {};
  for (const [name, path] of Object.entries(paths)) {
    const requests: Requests = { urls: [product.url + path], cookie, ...load };
    rows[name] = answersRow(await runChild<Answers>('send-requests', requests));
  }
  return rows;
}
