import { openLogger } from '@uprez/runtime/open-logger';
import { describeMachine } from '@uprez/testing/bench-report';
import { startBenchProduct } from '@uprez/testing/products/start-test-product';
import { readConfig } from '../src/config.ts';
import { openDeps } from '../src/deps.ts';
import { startGateway } from '../src/start-gateway.ts';
import type { Answers } from './load/send-at-rate.ts';
import type { Requests } from './load/send-requests.ts';
import { runChild } from './load/start-child.ts';
import { answersRow } from './support/print-latencies.ts';
import { signUpCookie } from './support/sign-up-cookie.ts';

/**
 * Measures what the access log adds to calls of an administrator, which are all recorded: at the same rate with the log, and
 * with one that writes nothing. Both run in turn, because the machine's speed varies. Load, gateway, and database share the
 * machine. Run by `npm run bench:admin:access`.
 */
const load = { perSecond: 500, warmUpS: 2, seconds: 15 };
const rounds = 3;
const goalMs = 1;

const product = await startBenchProduct({ services: [], env: { RATE_LIMIT_SCALE: '1000000' } });

/** Sends the load to a gateway in this process. `isWritten`: whether the access log writes its events. */
async function measure(isWritten: boolean): Promise<Answers> {
  const config = readConfig({ ...product.env, PORT: '0', METRICS_PORT: '0', MAX_CONNECTIONS_PER_ADDRESS: '10000' });
  const logger = openLogger({ service: 'gateway', level: 'silent' });
  const deps = openDeps(config, logger);
  const accessLog = isWritten ? deps.accessLog : { ...deps.accessLog, record: () => {}, countKey: () => {} };
  const gateway = await startGateway(config, logger, { ...deps, accessLog });
  try {
    const url = `http://127.0.0.1:${new URL(gateway.url).port}`;
    const { client, cookie } = await signUpCookie(url);
    const { id } = (await client.user()).data;
    await product.db.updateTable('users').set({ role: 'owner' }).where('id', '=', id).execute();
    const requests: Requests = { urls: [`${url}/api/admin/security/settings`], cookie, ...load };
    return await runChild<Answers>('send-requests', requests);
  } finally {
    await gateway.close();
  }
}

const merge = (answers: readonly Answers[]): Answers => ({
  latenciesMs: answers.flatMap(({ latenciesMs }) => latenciesMs),
  perSecond: answers.reduce((sum, { perSecond }) => sum + perSecond, 0) / answers.length,
  errors: Object.assign({}, ...answers.map(({ errors }) => errors)),
});

try {
  const [written, discarded]: [Answers[], Answers[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    discarded.push(await measure(false));
    written.push(await measure(true));
  }
  const rows = { 'without the log': answersRow(merge(discarded)), 'with the log': answersRow(merge(written)) };
  const addedMs = rows['with the log'].p95 - rows['without the log'].p95;
  console.log(describeMachine());
  console.log(`Milliseconds at ${load.perSecond} requests/s. Goal: the log adds at most ${goalMs} ms (p95)`);
  console.table(rows);
  console.log(`Added: ${addedMs.toFixed(1)} ms`);
  if (addedMs > goalMs) process.exitCode = 1;
} finally {
  await product.close();
}
