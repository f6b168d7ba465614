import { parseArgs } from 'node:util';
import { openLogger } from '@uprez/runtime/open-logger';
import { compareGoals, percentile, printTable, reportResults } from '@uprez/testing/bench-report';
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
 * with one that writes nothing. Both gateways run all the time and take the load in turn, because the machine's speed varies.
 * Load, gateways, and database share the machine. Run by `npm run bench:admin:access`.
 */
const { values } = parseArgs({ options: { rate: { type: 'string', default: '500' }, save: { type: 'boolean' } } });
const load = { perSecond: Number(values.rate), warmUpS: 1, seconds: 5 };
const rounds = 8;
const goalMs = 1;

const product = await startBenchProduct({ services: [], env: { RATE_LIMIT_SCALE: '1000000' } });

/** Starts a gateway in this process, and returns how to send it the load. `isWritten`: whether the access log writes. */
async function open(isWritten: boolean) {
  const config = readConfig({ ...product.env, PORT: '0', METRICS_PORT: '0', MAX_CONNECTIONS_PER_ADDRESS: '10000' });
  const logger = openLogger({ service: 'gateway', level: 'silent' });
  const deps = openDeps(config, logger);
  const accessLog = isWritten ? deps.accessLog : { ...deps.accessLog, record: () => {}, countKey: () => {} };
  const gateway = await startGateway(config, logger, { ...deps, accessLog });
  const url = `http://127.0.0.1:${new URL(gateway.url).port}`;
  const { client, cookie } = await signUpCookie(url);
  const { id } = (await client.user()).data;
  await product.db.updateTable('users').set({ role: 'owner' }).where('id', '=', id).execute();
  const requests: Requests = { urls: [`${url}/api/admin/security/settings`], cookie, ...load };
  return { send: async () => answersRow(await runChild<Answers>('send-requests', requests)), close: gateway.close };
}

type Row = ReturnType<typeof answersRow>;
const columns = ['p50', 'p95', 'p99', 'answers/s'] as const;

/** The medians of all rounds. A round in which the machine was busy doesn't decide. */
const medianOf = (rows: readonly Row[]): Row =>
  Object.fromEntries(columns.map((column) => [column, percentile(rows.map((row) => row[column]))])) as Row;

const [discarding, writing] = [await open(false), await open(true)];
try {
  const rows: Record<'without' | 'with', Row[]> = { without: [], with: [] };
  for (let round = 0; round < rounds; round += 1) {
    rows.without.push(await discarding.send());
    rows.with.push(await writing.send());
  }
  const medians = { 'without the log': medianOf(rows.without), 'with the log': medianOf(rows.with) };
  printTable(`Milliseconds at ${load.perSecond} requests/s, medians of ${rounds} rounds`, medians);
  const added = (column: 'p50' | 'p95') => ({
    value: medians['with the log'][column] - medians['without the log'][column],
    atMost: goalMs,
    unit: 'ms',
  });
  const figures = { 'time that the log adds, p50': added('p50'), 'time that the log adds, p95': added('p95') };
  reportResults('admin:access', compareGoals(figures));
} finally {
  await Promise.all([discarding.close(), writing.close()]);
  await product.close();
}
