import { withRedis } from '@uprez/local-stack/open-redis';
import { fileFixture } from '@uprez/testing/fixtures';
import { signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { balance, countByStatus, openChaos, repeats, serviceOf, submit, submitMany } from './chaos.ts';

const chaos = fileFixture(() => openChaos({ ownRedis: true, env: { WORKER_CONCURRENCY: '2' } }));

const configure = (name: string, value: string) =>
  withRedis(chaos.redis?.url ?? '', (client) => client.config('SET', name, value));

/** Returns the status and the reasons that each service gives its operators. */
const readAll = () =>
  Promise.all(
    (['gateway', 'worker', 'dispatcher'] as const).map(async (name) => {
      const reply = await fetch(`http://${serviceOf(chaos.product, name).operatorAddress()}/readyz`);
      return { status: reply.status, reason: (await reply.json()).checks.redisSettings };
    }),
  );

it.each([
  ['maxmemory-policy', 'allkeys-lru', 'noeviction'],
  ['appendonly', 'no', 'yes'],
])('R8: no service is ready while %s of Redis is %s, and all are again afterward', async (name, wrong, right) => {
  const { product } = chaos;
  const reason = `${name} is ${wrong}, and must be ${right}`;
  await configure(name, wrong);
  expect(await readAll()).toEqual(Array(3).fill({ status: 503, reason }));
  expect(await (await fetch(`${product.url}/readyz`)).json()).toMatchObject({ checks: { redisSettings: 'failed' } });
  expect(await serviceOf(product, 'gateway').metrics()).toContain('readiness_check{check="redisSettings"} 0\n');
  await configure(name, right);
  expect(await readAll()).toEqual(Array(3).fill({ status: 200, reason: 'ok' }));
  expect(await serviceOf(product, 'gateway').metrics()).toContain('readiness_check{check="redisSettings"} 1\n');
});

const jobs = repeats(4, 200);

it(`R9: completes ${jobs} jobs that are accepted while Redis has no memory left`, async () => {
  const { product, user } = chaos;
  await configure('maxmemory', '1');
  await submitMany(user, jobs, { width: 100, height: 80 });
  // Sign-up is counted in Redis, and never without it.
  await expect(signUp(product.url)).rejects.toMatchObject({ status: 503, code: 'service_unavailable' });
  expect(await serviceOf(product, 'gateway').metrics()).toMatch(/^rate_limit_fallbacks_total\{class="\w+"\} [1-9]/m);
  await configure('maxmemory', '0');
  await product.settle(180_000);
  expect((await countByStatus(product)).completed).toBe(jobs);
  expect(await balance(product)).toBe(-jobs);
  const id = await submit(user, { width: 100, height: 80 });
  await waitUntil(async () => (await user.client.getJob({ params: { id } })).data.status === 'completed');
}, 300_000);
