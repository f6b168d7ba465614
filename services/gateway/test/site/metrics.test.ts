import fs from 'node:fs';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import type { ServiceName } from '@uprez/testing/products/spawn-service';
import { startIsolatedProduct } from '@uprez/testing/products/start-test-product';
import { imageForm, signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { beforeAll, expect, it } from 'vitest';

const product = fileFixture(() => startIsolatedProduct());
const user = fileFixture(() => signUp(product.url));
beforeAll(async () => {
  const body = imageForm(await makeImage({ width: 40, height: 30 }), { engine: 'standard' });
  const { data } = await user.client.processImage({ body, headers: { prefer: 'wait=60' } });
  expect(data.status).toBe('completed');
});

const find = (name: ServiceName) => product.services.find((service) => service.name === name);

/** Returns the samples of a service: values by name and labels, as `name{a="b"}`. */
async function scrape(name: ServiceName): Promise<Map<string, number>> {
  const line = find(name)?.lines.find((text) => text.includes('"msg":"operator endpoints are up"'));
  const response = await fetch(`http://127.0.0.1:${JSON.parse(line ?? '{}').port}/metrics`);
  expect(response.status).toBe(200);
  const rows = (await response.text()).split('\n').filter((row) => row !== '' && !row.startsWith('#'));
  return new Map(rows.map((row) => [row.slice(0, row.lastIndexOf(' ')), Number(row.slice(row.lastIndexOf(' ')))]));
}

it.each(['gateway', 'worker', 'dispatcher'] as const)(
  'the %s reports its process, event loop, and pool',
  async (name) => {
    const samples = await scrape(name);
    expect(samples.get('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(samples.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    const pool = ['used', 'idle', 'waiting'].map((state) => samples.get(`db_pool_connections{state="${state}"}`));
    expect(pool.every((value) => value !== undefined && value >= 0 && value <= 10)).toBe(true);
  },
);

it('the gateway reports the duration of requests by route template and status class', async () => {
  const { data } = await user.client.listJobs({ query: {} });
  const id = data[0]?.id ?? '';
  await user.client.getJob({ params: { id } });
  await fetch(`${product.url}/api/jobs/${id}`);
  await fetch(`${product.url}/api/nothing/${id}`);
  const samples = await scrape('gateway');
  const count = (method: string, route: string, status: string) =>
    samples.get(`http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`);
  expect(count('POST', '/api/images/process', '2xx')).toBe(1);
  expect(count('GET', '/api/jobs/:id', '2xx')).toBe(1);
  expect(count('GET', '/api/jobs/:id', '4xx')).toBe(1);
  expect(count('none', 'none', '4xx')).toBeGreaterThanOrEqual(1);
  expect([...samples.keys()].join('\n')).not.toContain(id);
});

it('the worker reports claims, waiting time, and attempts by engine and outcome', async () => {
  const samples = await scrape('worker');
  expect(samples.get('job_claim_duration_seconds_count{claimed="true"}')).toBe(1);
  expect(samples.get('job_claim_duration_seconds_sum{claimed="true"}')).toBeGreaterThan(0);
  expect(samples.get('job_queue_wait_seconds_count{pool="shared"}')).toBe(1);
  const labels = 'engine="standard",outcome="completed"';
  expect(samples.get(`job_duration_seconds_count{${labels}}`)).toBe(1);
  expect(samples.get(`job_duration_seconds_sum{${labels}}`)).toBeGreaterThan(0);
});

it('the worker counts child exits by reason', async () => {
  const { pid = 0 } = find('worker') ?? {};
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  for (const child of children) process.kill(child, 'SIGKILL');
  const name = 'child_exits_total{child="pixels",reason="processing_crashed"}';
  await waitUntil(async () => (await scrape('worker')).get(name) === 1, { what: 'the counted exit' });
});

it('the dispatcher reports the length of the queue by plan', async () => {
  await find('worker')?.end('SIGKILL');
  const body = imageForm(await makeImage({ width: 41, height: 31 }), { engine: 'standard' });
  await user.client.processImage({ body, headers: { prefer: 'respond-async' } });
  const samples = await scrape('dispatcher');
  expect(samples.get('queue_jobs{plan="free"}')).toBe(1);
  expect(samples.get('queue_jobs{plan="pro"}')).toBe(0);
});

it('the dispatcher reports the work for workers, without counting jobs of paused engines', async () => {
  const load = async () => {
    const samples = await scrape('dispatcher');
    const states = ['waiting', 'running', 'media'].map((state) =>
      samples.get(`worker_load{pool="shared",state="${state}"}`),
    );
    return { states, oldestS: samples.get('queue_oldest_job_seconds{pool="shared"}') ?? Number.NaN };
  };
  const waiting = await load();
  expect(waiting.states).toEqual([1, 0, 0]);
  expect(waiting.oldestS).toBeGreaterThan(0);
  await upsertSettings(product.db, 'jobs', { pausedEngines: ['standard'] });
  expect(await load()).toEqual({ states: [0, 0, 0], oldestS: 0 });
});
