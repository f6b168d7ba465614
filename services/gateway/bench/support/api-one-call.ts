import { percentile } from '@uprez/testing/bench-report';
import type { TestProduct } from '@uprez/testing/products/start-test-product';
import type { ImageClients, ImageTimes, Way } from '../load/send-v1-images.ts';
import { runChild } from '../load/start-child.ts';
import { openApiClients } from './open-api-clients.ts';
import { printGoals } from './print-goals.ts';
import { latencyRow } from './print-latencies.ts';

const clients = 20;
const rounds = 5;
const imagesEach: Record<number, number> = { 1: 10, [clients]: 5 };
const ways = ['call', 'wait', 'poll'] as const satisfies Way[];
type Times = Record<Way, ImageTimes[]>;

/**
 * Measures the time until a client has the bytes of its image: in one call, by a call and a download, and by submitting,
 * polling, and downloading. The ways take turns, so that other load on the machine affects them alike.
 */
export async function measureOneCall(product: TestProduct): Promise<void> {
  const all = await openApiClients(product, clients, 'enterprise');
  let from = 1_000_000;
  const send = async (way: Way, keys: string[]) => {
    const each = imagesEach[keys.length] ?? 1;
    from += keys.length * each;
    return runChild<ImageTimes>('send-v1-images', {
      url: product.url,
      keys,
      imagesEach: each,
      from,
      way,
    } satisfies ImageClients);
  };
  await send('call', all);
  for (const keys of [all.slice(0, 1), all]) {
    const times: Times = { call: [], wait: [], poll: [] };
    for (let round = 0; round < rounds; round += 1) for (const way of ways) times[way].push(await send(way, keys));
    print(times, keys.length);
  }
}

function print(times: Times, count: number): void {
  const row = (way: Way) => {
    const seconds = times[way].reduce((sum, round) => sum + round.seconds, 0);
    const latencies = times[way].flatMap(({ imageMs }) => imageMs);
    return { ...latencyRow(latencies), 'images/s': Number((latencies.length / seconds).toFixed(1)) };
  };
  console.log(`Milliseconds until the image of 256 x 256 pixels, standard x2, is there; clients: ${count}`);
  console.table({
    'one call (Accept: image/*)': row('call'),
    'wait, then download': row('wait'),
    'submit, poll, download': row('poll'),
  });
  const medians = (way: Way) => times[way].map(({ imageMs }) => percentile(imageMs));
  const compare = (way: Way, by: (call: number, other: number) => number) =>
    percentile(medians('call').map((call, round) => by(call, medians(way)[round] ?? Number.NaN)));
  printGoals({
    'one call over polling': { value: compare('poll', (call, other) => call - other), unit: 'ms', atMost: 0 },
    'ratio to polling': { value: compare('poll', (call, other) => call / other), atMost: 1 },
    'ratio to waiting': { value: compare('wait', (call, other) => call / other), atMost: 1 },
  });
}
