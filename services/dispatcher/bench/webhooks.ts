import { fork } from 'node:child_process';
import { once } from 'node:events';
import https from 'node:https';
import { fileURLToPath } from 'node:url';
import { migrate } from '@uprez/db/migrate';
import { openDb } from '@uprez/db/open-db';
import { openVault } from '@uprez/domain/vault';
import { percentile, reportResults } from '@uprez/testing/bench-report';
import { openPrivatePostgres } from '@uprez/testing/services/open-embedded';
import { waitUntil } from '@uprez/testing/wait-until';
import { openWebhookSender } from '../src/deliveries/open-webhook-sender.ts';
import { makeEndpoint, makeEvents, publicUrl } from '../test/support/webhook-world.ts';

/**
 * Measures deliveries per second over TLS to a fast receiver in a separate process, from written events to delivered
 * rows, with 1 and 10 endpoints. The baseline is a loop of POSTs of the same body with equal concurrency. Run by
 * `npm run bench:webhooks`.
 */
const runs = 3;
const each = 600;
const connections = 4;

type Receiver = { address: string; port: number; ca: string };
const child = fork(fileURLToPath(new URL('serve-hooks.ts', import.meta.url)), { execArgv: process.execArgv });
const [receiver] = (await once(child, 'message')) as [Receiver];
const { address, port, ca } = receiver;
const postgres = await openPrivatePostgres();
const { db, close } = openDb({ url: postgres.url, poolSize: 10, onError: () => {} });
await migrate(db);
const silent = { info: () => {}, warn: console.warn, error: console.error };
const network = { ca, resolve: async () => ['93.184.215.14'], dial: () => ({ address, port }) };
const vault = openVault('a vault secret of this measurement, long enough');
const sender = { db, vault, network, log: silent, config: { PUBLIC_URL: publicUrl } };

/** Measures deliveries per second to this many endpoints, each of a separate account. */
async function deliver(endpoints: number): Promise<number> {
  const made = await Promise.all(Array.from({ length: endpoints }, () => makeEndpoint(sender, 'hooks')));
  for (const { owner } of made) await makeEvents(sender, owner, each / endpoints);
  const start = performance.now();
  const running = openWebhookSender(sender, 100);
  const isDone = async () => {
    const left = db.selectFrom('webhookDeliveries').select('id').where('status', '=', 'pending').limit(1);
    return (await left.executeTakeFirst()) === undefined;
  };
  await waitUntil(isDone, { timeoutMs: 60_000, everyMs: 10 });
  const rate = each / ((performance.now() - start) / 1_000);
  await running.close();
  return rate;
}

/** Measures POSTs per second in a plain loop. */
async function postBare(): Promise<number> {
  const agent = new https.Agent({ keepAlive: true, maxSockets: connections, ca });
  const body = JSON.stringify({ id: 'x'.repeat(36), data: 'y'.repeat(200) });
  const options = { agent, method: 'POST', host: address, port, servername: 'hooks.images.example' };
  const post = async () => {
    const request = https.request(options).end(body);
    const [answer] = await once(request, 'response');
    await once(answer.resume(), 'end');
  };
  const start = performance.now();
  let left = each;
  const postInTurn = async () => {
    while (left-- > 0) await post();
  };
  await Promise.all(Array.from({ length: connections }, postInTurn));
  agent.destroy();
  return each / ((performance.now() - start) / 1_000);
}

try {
  const rates = { bare: [] as number[], one: [] as number[], ten: [] as number[] };
  for (let run = 0; run <= runs; run++) {
    const measured = { bare: await postBare(), one: await deliver(1), ten: await deliver(10) };
    // The first run is a warm-up.
    if (run > 0) for (const name of ['bare', 'one', 'ten'] as const) rates[name].push(measured[name]);
  }
  console.log(`A second, the middle of ${runs} runs of ${each}; goal: 100 deliveries`);
  const bare = percentile(rates.bare);
  const row = (values: number[]) => ({
    'a second': Math.round(percentile(values)),
    'lowest run': Math.round(Math.min(...values)),
    'of the bare loop': Number((percentile(values) / bare).toFixed(2)),
  });
  reportResults('webhooks', {
    'bare POSTs': row(rates.bare),
    'one endpoint': row(rates.one),
    'ten endpoints': row(rates.ten),
  });
} finally {
  child.disconnect();
  await close();
  await postgres.stop();
}
