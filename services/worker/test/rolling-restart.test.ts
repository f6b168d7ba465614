import { inspect } from 'node:util';
import { fileFixture } from '@uprez/testing/fixtures';
import { openBalancer } from '@uprez/testing/network/open-balancer';
import type { SpawnedService } from '@uprez/testing/products/spawn-service';
import { signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it, onTestFinished } from 'vitest';
import { openChaos, readMetric, repeats, submit } from './chaos.ts';
import { followEvents } from './follow-events.ts';

const chaos = fileFixture(() => openChaos({ services: ['worker', 'dispatcher', 'gateway'] }));
const balancer = fileFixture(() => openBalancer());

const restarts = repeats(1, 10);
/** Bytes after the end marker of each JPEG, so that uploads take longer than a restart of the connection. */
const paddingBytes = 10_000_000;

/** Starts a gateway and waits until it is ready. */
async function startGateway(): Promise<SpawnedService> {
  const gateway = await chaos.product.spawn('gateway');
  await gateway.ready();
  return gateway;
}

/** Calls in a loop until stopped. Returns the number of calls, and the errors. */
async function repeatCalls(call: () => Promise<unknown>, stop: AbortSignal) {
  const errors: unknown[] = [];
  let calls = 0;
  for (; !stop.aborted; calls += 1) await call().catch((error: unknown) => errors.push(error));
  return { calls, errors };
}

it(
  `R12: interrupts no request when two gateways restart in turn ${restarts} times, and streams miss no result`,
  async () => {
    const first = chaos.product.services.find(({ name }) => name === 'gateway') as SpawnedService;
    let gateways = [first, await startGateway()];
    const urls = () => Promise.all(gateways.map((gateway) => gateway.publicUrl()));
    balancer.setTargets(await urls());
    const readStarts = () => Promise.all(gateways.map((one) => readMetric(one, 'process_start_time_seconds')));
    const firstStarts = await readStarts();
    const user = await signUp(balancer.url);
    await chaos.product.db.updateTable('users').set({ tier: 'enterprise' }).where('id', '=', user.user.id).execute();
    const stop = new AbortController();
    const { signal } = stop;
    const [ids, completed] = [new Set<string>(), new Set<string>()];
    const endStreams = new AbortController();
    // After a failure, the loops would go on beside other tests.
    onTestFinished(() => {
      for (const one of [stop, endStreams]) one.abort();
    });
    const upload = async (paddedBytes: number) =>
      void ids.add(await submit(user, { width: 120, height: 90, paddedBytes }));
    const calls = [
      repeatCalls(() => user.client.listJobs({}), signal),
      repeatCalls(() => user.client.user(), signal),
      repeatCalls(() => upload(0), signal),
      repeatCalls(() => upload(paddingBytes), signal),
    ];
    const streaming = followEvents({ url: balancer.url, fetchAs: user.fetch }, completed, endStreams.signal);
    for (let restart = 0; restart < restarts; restart += 1)
      for (const stopped of gateways) {
        const before = ids.size;
        await waitUntil(() => ids.size > before + 2, { what: 'uploads' });
        gateways = gateways.filter((gateway) => gateway !== stopped);
        balancer.setTargets(await urls());
        await stopped.end('SIGTERM');
        expect(stopped.process.exitCode).toBe(0);
        gateways = [...gateways, await startGateway()];
        balancer.setTargets(await urls());
      }
    stop.abort();
    const done = await Promise.all(calls);
    expect(done.flatMap(({ errors }) => errors).map((error) => inspect(error))).toEqual([]);
    expect(done.every((one) => one.calls > 1)).toBe(true);
    expect(Math.min(...(await readStarts()))).toBeGreaterThan(Math.max(...firstStarts));
    for (const gateway of gateways)
      expect(await gateway.metrics()).not.toMatch(/^http_request_duration_seconds_count\{.*status="5xx"/m);
    await waitUntil(() => [...ids].every((id) => completed.has(id)), {
      timeoutMs: 120_000,
      what: 'all results in events',
    });
    endStreams.abort();
    expect(await streaming).toBeGreaterThan(1);
    await chaos.product.settle(60_000);
  },
  repeats(300_000, 1_800_000),
);
