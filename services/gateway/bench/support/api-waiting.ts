import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Figures } from '@uprez/testing/bench-report';
import { startBenchProduct, type TestProduct } from '@uprez/testing/products/start-test-product';
import type { HeldCalls } from '../load/hold-v1-calls.ts';
import { runChild } from '../load/start-child.ts';
import { openApiClients } from './open-api-clients.ts';
import { watchMemory } from './watch-memory.ts';

const calls = 200;
const clients = 20;
/** Time in which all calls are sent, and of the measurement after it. */
const sendMs = 12_000;
const measureMs = 5_000;
const waitS = 40;

const countThreads = (pid: number) =>
  Number(/^Threads:\s+(\d+)$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Connections to the database that are in use, which are those of the gateway and of this query. */
async function countBusy({ db }: TestProduct): Promise<number> {
  const { count } = await db
    .selectFrom('pg_stat_activity' as never)
    .select(db.fn.countAll().as('count'))
    .where('state' as never, '<>', 'idle' as never)
    .executeTakeFirstOrThrow();
  return Number(count) - 1;
}

type Held = { growth: number; threads: number; busy: number };

/** Measures a new gateway while it receives the calls, and after it. */
async function measureCalls(
  product: TestProduct,
  keys: string[],
  held: Pick<HeldCalls, 'from' | 'waitS'>,
): Promise<Held> {
  const gateway = await product.spawn('gateway');
  await gateway.ready();
  const url = await gateway.publicUrl();
  const send = (more: Omit<HeldCalls, 'url' | 'keys'>) =>
    runChild<number[]>('hold-v1-calls', { url, keys, ...more } satisfies HeldCalls);
  // Compiles the code of these calls. More would leave memory that the measured calls use again.
  await send({ calls: clients, from: held.from + calls, waitS: 1 });
  const threads = countThreads(gateway.pid);
  const busy: number[] = [];
  let threadsHeld = 0;
  let answers: Promise<number[]> = Promise.resolve([]);
  const { growth } = await watchMemory(gateway.pid, async () => {
    answers = send({ calls, ...held });
    await delay(sendMs);
    threadsHeld = countThreads(gateway.pid);
    for (let ms = 0; ms < measureMs; ms += 100) {
      busy.push(await countBusy(product));
      await delay(100);
    }
  });
  const statuses = new Set(await answers);
  await gateway.end('SIGTERM');
  if (statuses.size > 1 || !statuses.has(202)) throw new Error(`calls were answered ${[...statuses].join(', ')}`);
  return { growth, threads: threadsHeld - threads, busy: busy.reduce((sum, count) => sum + count, 0) / busy.length };
}

/**
 * Measures what calls that wait for images hold: memory beyond that of the same calls without a wait, threads, and
 * connections to the database.
 */
export async function measureWaiting(): Promise<Figures> {
  // Without a worker, no job starts.
  const product = await startBenchProduct({ services: ['gateway'], env: { RATE_LIMIT_SCALE: '1000000' } });
  try {
    const keys = await openApiClients(product, clients, 'enterprise');
    const sent = await measureCalls(product, keys, { from: 0, waitS: 0 });
    const held = await measureCalls(product, keys, { from: 2 * calls, waitS });
    console.log(`growth of memory: ${held.growth.toFixed(1)} MB, without a wait ${sent.growth.toFixed(1)} MB`);
    return {
      [`growth of memory for ${calls} calls that wait, compared with the same calls without a wait`]: {
        ...{ value: held.growth - sent.growth, unit: 'MB', atMost: 20 },
      },
      'threads, compared with before': { value: held.threads, atMost: 0 },
      'busy connections to the database, mean': { value: held.busy, atMost: 2 },
    };
  } finally {
    await product.close();
  }
}
