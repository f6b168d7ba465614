import http from 'node:http';
import type { Answers } from './send-at-rate.ts';

/** `pollers` request the targets in turn every `everyMs` on separate connections. The first `warmUpS` do not count. */
export type Polls = {
  targets: { url: string; cookie: string }[];
  pollers: number;
  everyMs: number;
  warmUpS: number;
  seconds: number;
};

const { targets, pollers, everyMs, warmUpS, seconds }: Polls = JSON.parse(process.argv[2] ?? '');
const latenciesMs: number[] = [];
const errors: Record<string, number> = {};
const countError = (what: string) => {
  errors[what] = (errors[what] ?? 0) + 1;
};
const start = performance.now();

function get(agent: http.Agent, { url, cookie }: Polls['targets'][number]): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers: { cookie }, timeout: 10_000 }, (response) => {
      response.resume().once('error', reject);
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    request.once('error', reject);
    request.once('timeout', () => request.destroy(new Error('timeout')));
  });
}

const until = async (moment: number) => {
  for (let ahead = moment - performance.now(); ahead > 0; ahead = moment - performance.now())
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(ahead)));
};

/**
 * Request times are fixed from the start, as with a timer. The latency of a late request counts from its planned time.
 */
async function poll(index: number): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const target = targets[index % targets.length];
  if (!target) return;
  const phase = Math.random() * everyMs;
  for (let at = phase; at < (warmUpS + seconds) * 1_000; at += everyMs) {
    await until(start + at);
    try {
      const status = await get(agent, target);
      if (status !== 200) countError(`status ${status}`);
      else if (at >= warmUpS * 1_000) latenciesMs.push(performance.now() - start - at);
    } catch (error) {
      countError(String(error));
    }
  }
  agent.destroy();
}

await Promise.all(Array.from({ length: pollers }, (_, index) => poll(index)));
process.send?.({ latenciesMs, perSecond: latenciesMs.length / seconds, errors } satisfies Answers);
