import { percentile } from '@uprez/testing/bench-report';
import type { TestProduct } from '@uprez/testing/products/start-test-product';
import type { ImageClients, ImageTimes, Way } from '../load/send-v1-images.ts';
import { runChild } from '../load/start-child.ts';
import { openApiClients } from './open-api-clients.ts';
import { printGoals } from './print-goals.ts';
import { latencyRow } from './print-latencies.ts';

const clients = 20;
const rounds = 5;
const imagesEach = 5;
const ways = ['call', 'wait', 'poll'] as const satisfies Way[];

/**
 * Measures the time until a client has the bytes of its image: in one call, by a call and a download, and by submitting,
 * polling, and downloading. The ways take turns, so that other load on the machine affects them alike.
 */
export async function measureOneCall(product: TestProduct): Promise<void> {
  const { url } = product;
  const keys = await openApiClients(product, clients, 'enterprise');
  let from = 1_000_000;
  const send = async (way: Way) => {
    from += clients * imagesEach;
    return runChild<ImageTimes>('send-v1-images', { url, keys, imagesEach, from, way } satisfies ImageClients);
  };
  await send('call');
  const times: Record<Way, ImageTimes[]> = { call: [], wait: [], poll: [] };
  for (let round = 0; round < rounds; round += 1) for (const way of ways) times[way].push(await send(way));
  const row = (way: Way) => {
    const seconds = times[way].reduce((sum, round) => sum + round.seconds, 0);
    const perSecond = (rounds * clients * imagesEach) / seconds;
    return { ...latencyRow(times[way].flatMap(({ imageMs }) => imageMs)), 'images/s': Number(perSecond.toFixed(1)) };
  };
  console.log(`Milliseconds until the image of 256 x 256 pixels, standard x2, is there; ${clients} clients`);
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
