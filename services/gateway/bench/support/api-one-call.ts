import { type Figures, percentile, printTable } from '@uprez/testing/bench-report';
import type { TestProduct } from '@uprez/testing/products/start-test-product';
import type { ImageClients, ImageTimes, Way } from '../load/send-v1-images.ts';
import { runChild } from '../load/start-child.ts';
import { openApiClients } from './open-api-clients.ts';
import { latencyRow } from './print-latencies.ts';

const clients = 20;
const rounds = 5;
const imagesEach: Record<number, number> = { 1: 10, [clients]: 5 };
const titles = {
  call: 'one call with `Accept: image/*`',
  wait: 'wait, then download',
  poll: 'submit, poll, download',
} as const satisfies Partial<Record<Way, string>>;
type ComparedWay = keyof typeof titles;
const ways = Object.keys(titles) as ComparedWay[];
type Times = Record<ComparedWay, ImageTimes[]>;

/**
 * Measures the time until a client has the bytes of its image: in one call, by a call and a download, and by submitting,
 * polling, and downloading. The ways take turns, so that other load on the machine affects them alike.
 */
export async function measureOneCall(product: TestProduct): Promise<Figures> {
  const all = await openApiClients(product, clients, 'enterprise');
  let from = 1_000_000;
  const send = async (way: ComparedWay, keys: string[]) => {
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
  const figures: Figures = {};
  for (const keys of [all.slice(0, 1), all]) {
    const times: Times = { call: [], wait: [], poll: [] };
    for (let round = 0; round < rounds; round += 1) for (const way of ways) times[way].push(await send(way, keys));
    Object.assign(figures, summarize(times, keys.length));
  }
  return figures;
}

function summarize(times: Times, count: number): Figures {
  const row = (way: ComparedWay) => {
    const seconds = times[way].reduce((sum, round) => sum + round.seconds, 0);
    const latencies = times[way].flatMap(({ imageMs }) => imageMs);
    return { ...latencyRow(latencies), 'images/s': Number((latencies.length / seconds).toFixed(1)) };
  };
  const rows = ways.map((way) => [`${titles[way]}, clients: ${count}`, row(way)] as const);
  printTable('Milliseconds until the image of 256 x 256 pixels, standard x2, is there', Object.fromEntries(rows));
  const medians = (way: ComparedWay) => times[way].map(({ imageMs }) => percentile(imageMs));
  const compare = (way: ComparedWay) =>
    percentile(medians('call').map((call, round) => call / (medians(way)[round] ?? Number.NaN)));
  console.log(`One call, compared with waiting: ${compare('wait').toFixed(2)} times`);
  return {
    ...Object.fromEntries(
      rows.map(([name, { p50, p95 }]) => [`${name}, p95`, { value: p95, median: p50, unit: 'ms' }]),
    ),
    [`one call, compared with polling, clients: ${count}`]: { value: compare('poll'), atMost: 1, unit: 'times' },
  };
}
