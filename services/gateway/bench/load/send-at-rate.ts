import { setTimeout as delay } from 'node:timers/promises';

/** `latenciesMs`: from the planned time to the last byte of an expected response. `perSecond`: rate of these responses. */
export type Answers = { latenciesMs: number[]; perSecond: number; errors: Record<string, number> };

/** `expected`: the status of the responses; 200 by default. */
type Rate = { perSecond: number; warmUpS: number; seconds: number; expected?: number };
/** Sends the request of a number. Returns its status code. */
type Send = (index: number) => Promise<number>;

/** Sends requests at a rate, with the random intervals of independent callers. The first `warmUpS` seconds do not count. */
export async function sendAtRate({ perSecond, warmUpS, seconds, expected }: Rate, send: Send): Promise<Answers> {
  const { latenciesMs, errors, run } = makeRunner(send, expected);
  const start = performance.now();
  // Slow responses delay no later request. A client that waits for each response would hide the queue it causes.
  const sent: Promise<void>[] = [];
  for (const [index, arrival] of planArrivals((warmUpS + seconds) * 1_000, perSecond).entries()) {
    await waitUntil(start + arrival);
    sent.push(run(index, { from: start + arrival, isCounted: arrival >= warmUpS * 1_000 }));
  }
  await Promise.all(sent);
  const elapsedS = (performance.now() - start) / 1_000 - warmUpS;
  return { latenciesMs, perSecond: latenciesMs.length / elapsedS, errors };
}

/** Sends `count` requests as fast as the responses arrive, `parallel` at once. */
export async function sendInLoop(
  { count, parallel }: { count: number; parallel: number },
  send: Send,
): Promise<Answers> {
  const { latenciesMs, errors, run } = makeRunner(send);
  const start = performance.now();
  let next = 0;
  const sendInTurn = async () => {
    while (next < count) await run(next++, { from: performance.now(), isCounted: true });
  };
  await Promise.all(Array.from({ length: parallel }, sendInTurn));
  return { latenciesMs, perSecond: latenciesMs.length / ((performance.now() - start) / 1_000), errors };
}

function makeRunner(send: Send, expected = 200) {
  const latenciesMs: number[] = [];
  const errors: Record<string, number> = {};
  const countError = (what: string) => {
    errors[what] = (errors[what] ?? 0) + 1;
  };
  const run = async (index: number, { from, isCounted }: { from: number; isCounted: boolean }) => {
    try {
      const status = await send(index);
      if (status !== expected) countError(`status ${status}`);
      else if (isCounted) latenciesMs.push(performance.now() - from);
    } catch (error) {
      countError(String(error));
    }
  };
  return { latenciesMs, errors, run };
}

/** Returns times in ms, fixed before the first request. */
function planArrivals(untilMs: number, perSecond: number): number[] {
  const arrivals: number[] = [];
  let at = 0;
  while (at < untilMs) {
    arrivals.push(at);
    at -= (Math.log(1 - Math.random()) * 1_000) / perSecond;
  }
  return arrivals;
}

/** Timers have whole milliseconds and may be early. Waits until the time; a delay counts as latency. */
async function waitUntil(time: number): Promise<void> {
  for (;;) {
    const ahead = time - performance.now();
    if (ahead <= 0) return;
    await delay(Math.ceil(ahead));
  }
}
