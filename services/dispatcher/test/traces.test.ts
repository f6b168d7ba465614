import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openVault } from '@uprez/domain/vault';
import { webhookSecretPurpose } from '@uprez/domain/webhooks/get-webhook';
import { openLogger } from '@uprez/runtime/open-logger';
import { inheritedEnv } from '@uprez/testing/config';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { startIsolatedProduct, type TestProduct } from '@uprez/testing/products/start-test-product';
import { imageForm, signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { openTracing } from '@uprez/tracing/open-tracing';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { openDeps } from '../src/deps.ts';
import { startDispatcher } from '../src/start-dispatcher.ts';
import { type CollectedSpan, openCollector } from './support/open-collector.ts';
import { openReceiver } from './support/open-receiver.ts';

/** Starts a dispatcher in this process, because only there a test can redirect its requests to a receiver. */
async function openDispatcher(product: TestProduct, network: Awaited<ReturnType<typeof openReceiver>>['network']) {
  const config = readConfig(product.env);
  const logger = openLogger({ service: 'dispatcher', level: 'silent' });
  const tracing = await openTracing({
    service: 'dispatcher',
    endpoint: product.env.OTEL_EXPORTER_OTLP_ENDPOINT,
    ratio: 1,
    onError: (reason) => expect.unreachable(reason),
  });
  const dispatcher = await startDispatcher(config, logger, { ...openDeps(config, logger), network });
  return { close: () => dispatcher.close().finally(tracing.close) };
}

const world = fileFixture(async () => {
  const [collector, receiver] = await Promise.all([openCollector(), openReceiver()]);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=uprez' };
  const product = await startIsolatedProduct({ services: ['gateway', 'worker'], env });
  const dispatcher = await openDispatcher(product, receiver.network);
  const close = async () => {
    await dispatcher.close();
    await product.close();
    await Promise.all([collector.close(), receiver.close()]);
  };
  return { collector, receiver, product, close };
});

/** Signs up an account with an endpoint at the receiver, and uploads an image as the web app does. */
async function upload(traceparent: string, name = 'canary-file.png') {
  const { db, url, env } = world.product;
  const user = await signUp(url);
  const accountId = user.user.id;
  await db.updateTable('users').set({ tier: 'api_pro', emailVerified: true }).where('id', '=', accountId).execute();
  const secret = openVault(env.VAULT_SECRET ?? '').seal('whsec_c2VjcmV0', webhookSecretPurpose);
  const endpoint = { accountId, kind: 'endpoint', isSandbox: false, secret } as const;
  await db
    .insertInto('webhookEndpoints')
    .values({ ...endpoint, id: randomUUID(), url: 'https://traced.images.example/canary-path?token=canary-token' })
    .execute();
  const body = imageForm(await makeImage({ width: 96, height: 64 }), { engine: 'standard', scaleFactor: '2' }, name);
  const response = await user.fetch(`${url}/api/images/process`, {
    method: 'POST',
    body,
    headers: { traceparent, prefer: 'wait=60' },
  });
  const job = (await response.json()) as { id: string; status: string };
  expect(job.status).toBe('completed');
  return { user, accountId, jobId: job.id };
}

const makeIds = () => ({ traceId: randomBytes(16).toString('hex'), browserId: randomBytes(8).toString('hex') });

/** Waits until a trace has these spans. */
const waitForSpans = (traceId: string, names: readonly string[]) =>
  waitUntil(
    () => {
      const spans = world.collector.spans.filter((span) => span.traceId === traceId);
      return names.every((name) => spans.some((span) => span.name === name)) && spans;
    },
    { what: `the spans ${names.join(', ')}` },
  );

function only(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const [span, ...others] = spans.filter((one) => one.name === name);
  if (!span || others.length > 0) throw new Error(`${others.length + 1} spans named ${name}`);
  return span;
}

it('records the request, the attempt with its stages, and the webhook delivery of an upload as one trace', async () => {
  const { traceId, browserId } = makeIds();
  const { user, accountId, jobId } = await upload(`00-${traceId}-${browserId}-01`);
  const delivered = ['POST /api/images/process', 'job attempt', 'webhook delivery'];
  const spans = await waitForSpans(traceId, delivered);
  const byId = new Map(spans.map((span) => [span.id, span]));
  for (const { name, parentId = '' } of spans)
    expect(parentId === browserId || byId.has(parentId), `the parent of ${name}`).toBe(true);

  const [request, attempt, delivery] = delivered.map((name) => only(spans, name));
  expect([request, attempt, delivery].map((span) => [span?.service, span?.parentId])).toEqual([
    ['uprez-gateway', browserId],
    ['uprez-worker', request?.id],
    ['uprez-dispatcher', request?.id],
  ]);
  expect(request?.facts).toMatchObject({ 'http.route': '/api/images/process', 'http.response.status_code': 200 });
  expect(attempt?.facts).toMatchObject({ 'uprez.job.id': jobId, 'uprez.job.attempt': 1, 'uprez.outcome': 'completed' });
  expect(delivery?.facts).toMatchObject({ 'uprez.job.id': jobId, 'http.response.status_code': 204 });
  for (const span of [request, attempt, delivery]) expect(span?.facts['uprez.account.id']).toBe(accountId);

  const childrenOf = (name: string) => spans.filter((span) => span.parentId === only(spans, name).id);
  const namesBelow = (name: string) => new Set(childrenOf(name).map((span) => span.name));
  expect(namesBelow('POST /api/images/process')).toContain('inspect');
  expect(namesBelow('POST /api/images/process')).toContain('storage put');
  expect(namesBelow('POST /api/images/process')).toContain('queue wake');
  expect(namesBelow('POST /api/images/process')).toContain('db insert');
  for (const name of ['claim', 'download', 'process', 'upload']) expect(namesBelow('job attempt')).toContain(name);
  expect(namesBelow('download')).toContain('storage get');
  expect(namesBelow('upload')).toContain('storage put');

  const stages = childrenOf('process');
  expect(stages.map(({ name }) => name)).toEqual(expect.arrayContaining(['stage decode', 'stage encode']));
  const { startMs, endMs } = attempt ?? expect.unreachable();
  for (const stage of stages) {
    expect(stage.startMs).toBeGreaterThanOrEqual(startMs);
    expect(stage.endMs).toBeLessThanOrEqual(endMs);
  }
  expect(spans.filter((span) => span.isError)).toEqual([]);

  const received = world.collector.bodies.join('\n');
  const secrets = ['canary', user.email, user.password, 'images.example', 'whsec_', '127.0.0.1', 'uploads/'];
  for (const secret of secrets) expect(received.includes(secret), secret).toBe(false);
  expect(world.collector.headers[0]?.['x-tenant']).toBe('uprez');
});

it('starts a trace of its own for an invalid header', async () => {
  const { jobId } = await upload('00-zz-canary-01');
  const isAttempt = (span: CollectedSpan) => span.name === 'job attempt' && span.facts['uprez.job.id'] === jobId;
  const attempt = await waitUntil(() => world.collector.spans.find(isAttempt), { what: 'the attempt' });
  const isRequest = (span: CollectedSpan) => span.id === attempt.parentId;
  const request = await waitUntil(() => world.collector.spans.find(isRequest), { what: 'the request' });
  expect(request).toMatchObject({ name: 'POST /api/images/process', parentId: undefined });
});

/** Starts a service, ends it, and returns the modules of OpenTelemetry that it loaded. */
async function listLoaded(name: 'gateway' | 'worker' | 'dispatcher', env: Record<string, string>): Promise<string[]> {
  const hook = new URL('./support/list-modules.mjs', import.meta.url);
  const file = path.join(world.product.env.DATA_DIR ?? '', `modules-${randomUUID()}`);
  const service = await world.product.spawn(name, { NODE_OPTIONS: `--import=${hook}`, MODULES_FILE: file, ...env });
  await service.ready();
  await service.end('SIGTERM');
  const modules = (await fs.readFile(file, 'utf8')).split('\n');
  expect(modules.some((module) => module.includes('/pino/'))).toBe(true);
  // prom-client itself loads the API.
  return modules.filter((module) => /node_modules\/@opentelemetry\/(?!api\/)/.test(module));
}

it('loads OpenTelemetry with an endpoint only', async () => {
  const off = { OTEL_EXPORTER_OTLP_ENDPOINT: '' };
  const [loaded, ...others] = await Promise.all([
    listLoaded('dispatcher', {}),
    listLoaded('gateway', off),
    listLoaded('worker', off),
    listLoaded('dispatcher', off),
  ]);
  expect(loaded.length).toBeGreaterThan(0);
  expect(others).toEqual([[], [], []]);
});

describe('the telemetry command', () => {
  const command = fileURLToPath(new URL('../dist/telemetry.js', import.meta.url));
  const run = async (...args: string[]) => {
    const env = { ...inheritedEnv, DATABASE_URL: world.product.env.DATABASE_URL };
    return (await promisify(execFile)(process.execPath, [command, ...args], { env })).stdout;
  };
  /** Waits until the gateway and the worker have logged a change. */
  const waitForChange = (level: string, traceRatio: number) =>
    waitUntil(
      () =>
        world.product.services.slice(0, 2).every(({ lines }) => {
          const change = lines.findLast((line) => line.includes('"telemetry changed"'));
          return change?.includes(`"level":"${level}","traceRatio":${traceRatio},`);
        }),
      { what: `level ${level}` },
    );
  /** Returns the log lines about a request that is made now. */
  const logRequest = async () => {
    const { headers } = await fetch(`${world.product.url}/api/site`);
    const id = headers.get('x-request-id') ?? expect.unreachable();
    const { headers: later } = await fetch(`${world.product.url}/api/nothing`);
    return { id, laterId: later.get('x-request-id') ?? '', lines: world.product.services[0]?.lines ?? [] };
  };
  const isAbout = (id: string) => (line: string) => line.includes(id);

  it('changes level and sampling of running services, until it is reset', async () => {
    expect(await run()).toBe('The settings of the services apply.\n');
    expect(await run('--log-level', 'warn', '--trace-ratio', '0', '--minutes', '5')).toMatch(
      /^Applies in all services/,
    );
    await waitForChange('warn', 0);
    expect(await run()).toBe('{"logLevel":"warn","traceRatio":0}\n');
    const silent = await logRequest();
    const { traceId, browserId } = makeIds();
    const { jobId } = await upload(`00-${traceId}-${browserId}-01`);
    const job = world.product.db.selectFrom('jobs').select('traceparent').where('id', '=', jobId);
    expect((await job.executeTakeFirstOrThrow()).traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));

    await run('--reset');
    await waitForChange('info', 1);
    const logged = await logRequest();
    await waitUntil(() => logged.lines.some(isAbout(logged.laterId)), { what: 'the line of a request' });
    expect(logged.lines.filter(isAbout(logged.id))).toHaveLength(1);
    expect(logged.lines.filter(isAbout(silent.id))).toEqual([]);
    // Spans are sent each second, in their order.
    const next = makeIds();
    await upload(`00-${next.traceId}-${next.browserId}-01`);
    await waitForSpans(next.traceId, ['POST /api/images/process', 'job attempt', 'webhook delivery']);
    expect(world.collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it.each([
    [['--log-level', 'loud']],
    [['--trace-ratio', '2']],
    [['--trace-ratio', '']],
    [['--trace-ratio', '0.5', '--minutes', '0']],
    [['--log-level', 'debug', '--minutes', '1441']],
    [['--reset', '--log-level', 'debug']],
  ])('rejects %j', async (args) => {
    await expect(run(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Usage: telemetry') });
  });
});
