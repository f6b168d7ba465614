import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startBenchProduct, type TestProduct } from '@uprez/testing/products/start-test-product';
import type { HeldCalls } from '../load/hold-v1-calls.ts';
import { runChild } from '../load/start-child.ts';
import { openApiClients } from './open-api-clients.ts';
import { printGoals } from './print-goals.ts';
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

/** Measures what the gateway holds while calls wait for images: memory, threads, and connections to the database. */
export async function measureWaiting(): Promise<void> {
  // Without a worker, no job starts.
  const product = await startBenchProduct({ services: ['gateway'], env: { RATE_LIMIT_SCALE: '1000000' } });
  try {
    const keys = await openApiClients(product, clients, 'enterprise');
    const gateway = await product.spawn('gateway');
    await gateway.ready();
    const url = await gateway.publicUrl();
    const hold = (held: Omit<HeldCalls, 'url' | 'keys'>) =>
      runChild<number[]>('hold-v1-calls', { url, keys, ...held } satisfies HeldCalls);
    // Compiles the code of these calls. More would leave memory that the measured calls use again.
    await hold({ calls: clients, from: 0, waitS: 1 });
    const threads = countThreads(gateway.pid);
    const busy: number[] = [];
    let held: Promise<number[]> = Promise.resolve([]);
    let threadsHeld = 0;
    const { growth } = await watchMemory(gateway.pid, async () => {
      held = hold({ calls, from: calls, waitS });
      await delay(sendMs);
      threadsHeld = countThreads(gateway.pid);
      for (let ms = 0; ms < measureMs; ms += 100) {
        busy.push(await countBusy(product));
        await delay(100);
      }
    });
    const statuses = new Set(await held);
    if (statuses.size > 1 || !statuses.has(202)) throw new Error(`calls were answered ${[...statuses].join(', ')}`);
    console.log(`${calls} calls that wait for an image, next to the idle gateway`);
    printGoals({
      'memory, peak': { value: growth, unit: 'MB', atMost: 20 },
      threads: { value: threadsHeld - threads, atMost: 0 },
      'busy database connections, average': {
        value: busy.reduce((sum, count) => sum + count, 0) / busy.length,
        atMost: 2,
      },
    });
  } finally {
    await product.close();
  }
}
