import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Sends GET requests for the URLs in turn at `perSecond`. The first `warmUpS` seconds do not count. */
export type Requests = { urls: string[]; cookie: string; perSecond: number; warmUpS: number; seconds: number };
/** `latenciesMs`: from the planned time to the last byte of a 200. `perSecond`: rate of these responses. */
export type Answers = { latenciesMs: number[]; perSecond: number; errors: Record<string, number> };

const timeoutMs = 10_000;
const { urls, cookie, perSecond, warmUpS, seconds }: Requests = JSON.parse(process.argv[2] ?? '');
const agent = new http.Agent({ keepAlive: true, maxSockets: 128 });

function get(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers: { cookie }, timeout: timeoutMs }, (response) => {
      response.resume().once('error', reject);
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    request.once('error', reject);
    request.once('timeout', () => request.destroy(new Error('timeout')));
  });
}

/** Returns times in ms with the random intervals of independent callers, fixed before the first request. */
function planArrivals(): number[] {
  const arrivals: number[] = [];
  let at = 0;
  while (at < (warmUpS + seconds) * 1_000) {
    arrivals.push(at);
    at -= (Math.log(1 - Math.random()) * 1_000) / perSecond;
  }
  return arrivals;
}

const latenciesMs: number[] = [];
const errors: Record<string, number> = {};
const countError = (what: string) => {
  errors[what] = (errors[what] ?? 0) + 1;
};
const start = performance.now();

/** Timers have whole milliseconds and may be early. Waits until the time; a delay counts as latency. */
async function until(arrival: number): Promise<void> {
  for (;;) {
    const ahead = arrival - (performance.now() - start);
    if (ahead <= 0) return;
    await delay(Math.ceil(ahead));
  }
}

async function send(index: number, arrival: number): Promise<void> {
  try {
    const status = await get(urls[index % urls.length] ?? '');
    if (status !== 200) countError(`status ${status}`);
    else if (arrival >= warmUpS * 1_000) latenciesMs.push(performance.now() - start - arrival);
  } catch (error) {
    countError(String(error));
  }
}

// Slow responses delay no later request. A client that waits for each response would hide the queue it causes.
const sent: Promise<void>[] = [];
for (const [index, arrival] of planArrivals().entries()) {
  await until(arrival);
  sent.push(send(index, arrival));
}
await Promise.all(sent);
const elapsedS = (performance.now() - start) / 1_000 - warmUpS;
process.send?.({ latenciesMs, perSecond: latenciesMs.length / elapsedS, errors } satisfies Answers);
