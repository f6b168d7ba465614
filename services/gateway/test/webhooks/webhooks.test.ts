import { dailyLimits } from '@uprez/contracts/policy/daily-limits';
import { limits } from '@uprez/contracts/policy/limits';
import { tiers } from '@uprez/contracts/policy/plans/plans';
import { insertDeliveries } from '@uprez/db/queries/webhooks/webhook-deliveries';
import { lockEndpoints } from '@uprez/db/queries/webhooks/webhook-endpoints';
import { makeDelivery } from '@uprez/domain/webhooks/fan-out';
import { countLockWaiters } from '@uprez/testing/count-lock-waiters';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { imageForm } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { outcome, setPlan, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { json, openV1Caller } from '../support/v1-calls.ts';
import { create } from '../support/webhooks.ts';

const site = fileFixture(() => openTlsSite((_request, response) => response.end()));
const resolve = async (host: string) => {
  if (host.startsWith('nobody')) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  return host.startsWith('inside') ? ['93.184.215.14', '10.0.0.1'] : site.network.resolve(host);
};
const gateway = fileFixture(() => startTestGateway({}, { ...site.network, resolve }));
const caller = testFixture(() => openV1Caller(gateway, { tier: 'api_pro', scopes: ['process', 'read', 'webhooks'] }));

const read = async (path: string) => (await caller.call('GET', `/v1/webhooks${path}`)).json();

describe('a webhook endpoint', () => {
  it('is created, read, updated, and deleted with a key and in the web app', async () => {
    const made = await create(caller, { description: ' Shop ', events: ['job.failed', 'job.completed'] });
    const { secret, ...endpoint } = await made.json();
    expect(made.status).toBe(201);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toMatchObject({
      kind: 'endpoint',
      url: 'https://hooks.images.example/a',
      description: 'Shop',
      events: ['job.completed', 'job.failed'],
      is_active: true,
      sandbox: false,
    });
    expect(await read('')).toEqual({ data: [endpoint], next_cursor: null });
    expect(await read(`/${endpoint.id}`)).toEqual(endpoint);
    const { client } = caller.owner;
    expect((await client.listWebhooks()).data).toMatchObject([{ id: endpoint.id, isActive: true }]);
    const params = { id: endpoint.id };
    const off = await client.updateWebhook({ params, body: { isActive: false, url: 'https://b.images.example' } });
    expect(off.data).toMatchObject({
      url: 'https://b.images.example/',
      isActive: false,
      disabledReason: 'owner',
      description: 'Shop',
    });
    const on = await caller.call('PATCH', `/v1/webhooks/${endpoint.id}`, json({ is_active: true, events: [] }));
    expect(await on.json()).toMatchObject({ is_active: true, disabled_reason: null, events: [] });
    expect((await client.deleteWebhook({ params })).status).toBe(204);
    expect(await read('')).toMatchObject({ data: [] });
  });

  it('returns its secret once and stores it encrypted; after a rotation both are valid for a while', async () => {
    const { secret, id } = await (await create(caller)).json();
    const { secret: next, former_secret_until } = await (
      await caller.call('POST', `/v1/webhooks/${id}/rotate`, json({ overlap_hours: 2 }))
    ).json();
    expect(next).not.toBe(secret);
    expect(Math.round((Date.parse(former_secret_until) - Date.now()) / 3_600_000)).toBe(2);
    const { data } = await caller.owner.client.rotateWebhookSecret({ params: { id }, body: { overlapHours: 0 } });
    expect(data).toMatchObject({ formerSecretUntil: null, secret: expect.stringMatching(/^whsec_/) });
    const texts = JSON.stringify([await read(''), await read(`/${id}`)]);
    const { rows } = await sql<{ text: string }>`select e::text as text from webhook_endpoints e`.execute(
      gateway.ctx.db,
    );
    for (const each of [secret, next, data.secret])
      for (const text of [texts, ...rows.map((row) => row.text)]) expect(text).not.toContain(each.slice(6, 30));
  });

  const urls = {
    url_not_allowed: [
      'http://hooks.images.example/',
      'https://127.0.0.1/',
      'https://0x7f.1/',
      'https://inside.images.example/',
      'https://hooks.images.example:8443/',
      'https://me:secret@hooks.images.example/',
      'hooks',
    ],
    url_unreachable: ['https://nobody.example/'],
    invalid_parameter: [''],
  };
  const rows = Object.entries(urls).flatMap(([code, all]) => all.map((url) => [code, url] as const));

  it.each(rows)('returns 422 %s for the URL %j', async (code, url) => {
    const answer = await create(caller, { url });
    expect(outcome(answer)).toBe(`422 ${code}`);
    expect(await answer.json()).toMatchObject({ param: 'url' });
    expect(await read('')).toMatchObject({ data: [] });
    expect(site.dialled).toEqual([]);
  });

  it.each([
    ['an unknown event', { events: ['job.started'] }],
    ['only the test event', { events: ['webhook.test'] }],
    ['an unknown field', { secret: 'whsec_mine' }],
    ['a long description', { description: 'x'.repeat(limits.webhookDescriptionLength + 1) }],
  ])('returns 422 with %s', async (_what, body) => {
    expect(outcome(await create(caller, body))).toBe('422 invalid_parameter');
  });

  it('requires a plan with webhooks, a key with the scope, and a free slot', async () => {
    for (const tier of tiers) {
      const owner = await signUpWithPlan(gateway, tier);
      const may = ['api_pro', 'enterprise'].includes(tier);
      const made = owner.client.createWebhook({ body: { url: 'https://hooks.images.example' } });
      if (may) expect((await made).status).toBe(201);
      else await expect(made).rejects.toMatchObject({ code: 'plan_feature' });
    }
    const reader = await openV1Caller(gateway, { owner: caller.owner, scopes: ['process', 'read'] });
    expect(outcome(await create(reader))).toBe('403 wrong_scope');
    const answers = await Promise.all(Array.from({ length: limits.webhooks + 2 }, () => create(caller)));
    expect(new Set(answers.map(outcome))).toEqual(new Set(['201', '409 webhook_limit']));
    expect((await read('')).data).toHaveLength(limits.webhooks);
  });

  it('in the sandbox can be created and tested on every plan with keys', async () => {
    const basic = await openV1Caller(gateway, { kind: 'test', scopes: ['webhooks', 'read', 'process'] });
    const made = await create(basic);
    const { id, sandbox } = await made.json();
    expect([made.status, sandbox]).toEqual([201, true]);
    expect(outcome(await basic.call('POST', `/v1/webhooks/${id}/test`))).toBe('202');
    const owner = await signUpWithPlan(gateway, 'pro');
    const body = { url: 'https://hooks.images.example', sandbox: true };
    await expect(owner.client.createWebhook({ body })).rejects.toMatchObject({ code: 'plan_feature' });
  });

  it('can be read, disabled, and deleted on a plan without webhooks', async () => {
    const { id } = await (await create(caller)).json();
    await setPlan(gateway, caller.owner, 'api_basic');
    const path = `/v1/webhooks/${id}`;
    for (const call of ['rotate', 'test'])
      expect(outcome(await caller.call('POST', `${path}/${call}`))).toBe('403 plan_feature');
    expect(outcome(await caller.call('PATCH', path, json({ description: 'a' })))).toBe('403 plan_feature');
    expect(outcome(await caller.call('PATCH', path, json({ is_active: false })))).toBe('200');
    expect(outcome(await caller.call('DELETE', path))).toBe('204');
  });

  it('in the sandbox is hidden from live keys, and vice versa', async () => {
    const test = await openV1Caller(gateway, { owner: caller.owner, kind: 'test', scopes: ['webhooks', 'read'] });
    const live = await (await create(caller)).json();
    const small = await (await create(test)).json();
    expect(small.sandbox).toBe(true);
    expect(outcome(await caller.call('GET', `/v1/webhooks/${small.id}`))).toBe('404 webhook_not_found');
    expect(outcome(await caller.call('GET', `/v1/sandbox/webhooks/${small.id}`))).toBe('200');
    expect(outcome(await test.call('GET', `/v1/webhooks/${live.id}`))).toBe('404 webhook_not_found');
    const { data } = await caller.owner.client.listWebhooks();
    expect(data.map(({ sandbox }) => sandbox).toSorted()).toEqual([false, true]);
  });
});

describe('a test event', () => {
  it('creates a delivery to this endpoint, which is listed with its body and can be resent', async () => {
    const { id } = await (await create(caller, { events: ['job.failed'] })).json();
    await create(caller);
    const sent = await caller.call('POST', `/v1/webhooks/${id}/test`);
    const delivery = await sent.json();
    expect(sent.status).toBe(202);
    expect(delivery).toMatchObject({ event_type: 'webhook.test', status: 'pending', attempts: 0, error: null });
    expect(await read(`/${id}/deliveries`)).toEqual({ data: [delivery], next_cursor: null });
    const found = await read(`/${id}/deliveries/${delivery.id}`);
    expect(found).toMatchObject({ ...delivery, attempt_log: [] });
    expect(JSON.parse(found.body)).toMatchObject({
      id: delivery.event_id,
      type: 'webhook.test',
      data: { webhook_id: id },
    });
    await gateway.ctx.db
      .updateTable('webhookDeliveries')
      .set({ status: 'failed' })
      .where('id', '=', delivery.id)
      .execute();
    expect(await read(`/${id}/deliveries?status=pending`)).toMatchObject({ data: [] });
    const again = await caller.call('POST', `/v1/webhooks/${id}/deliveries/${delivery.id}/resend`);
    expect([again.status, (await again.json()).status]).toEqual([202, 'pending']);
    const everything = json({ since: '2026-01-01T00:00:00Z' });
    expect(await (await caller.call('POST', `/v1/webhooks/${id}/resend`, everything)).json()).toEqual({ events: 0 });
    await caller.call('PATCH', `/v1/webhooks/${id}`, json({ is_active: false }));
    expect(outcome(await caller.call('POST', `/v1/webhooks/${id}/test`))).toBe('409 webhook_disabled');
  });

  it('is listed in pages, newest first', async () => {
    const { id } = await (await create(caller)).json();
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await (await caller.call('POST', `/v1/webhooks/${id}/test`)).json()).id);
    const first = await read(`/${id}/deliveries?limit=2`);
    const second = await read(`/${id}/deliveries?limit=2&cursor=${first.next_cursor}`);
    const listed = [...first.data, ...second.data].map((delivery: { id: string }) => delivery.id);
    expect([listed, second.next_cursor]).toEqual([ids.toReversed(), null]);
  });
});

describe('the webhook URL of a single job', () => {
  it('is stored with its job, and has a secret under the ID "jobs"', async () => {
    const image = await makeImage({ width: 20, height: 20 });
    const webhook_url = 'https://hooks.images.example/one';
    const { id } = await caller.submit({ body: imageForm(image, { engine: 'standard', webhook_url }) });
    const row = await gateway.ctx.db.selectFrom('jobs').select('webhookUrl').where('id', '=', id).executeTakeFirst();
    expect(row).toEqual({ webhookUrl: webhook_url });
    const jobs = await read('/jobs');
    expect(jobs).toMatchObject({ kind: 'jobs', url: null, sandbox: false });
    const rotated = await (await caller.call('POST', '/v1/webhooks/jobs/rotate')).json();
    expect(rotated).toMatchObject({ id: jobs.id, secret: expect.stringMatching(/^whsec_/) });
    const changed = await caller.call('PATCH', '/v1/webhooks/jobs', json({ url: 'https://a.images.example' }));
    expect(outcome(changed)).toBe('422 invalid_parameter');
  });

  it('returns an error when not allowed or the plan has no webhooks, and creates nothing', async () => {
    const image = await makeImage({ width: 20, height: 20 });
    const submit = async (webhook_url: string) => {
      const answer = await caller.call('POST', '/v1/process', {
        body: imageForm(image, { engine: 'standard', webhook_url }),
      });
      return [outcome(answer), (await answer.json()).param];
    };
    expect(await submit('https://169.254.169.254/')).toEqual(['422 url_not_allowed', 'webhook_url']);
    expect(await submit('https://inside.images.example/')).toEqual(['422 url_not_allowed', 'webhook_url']);
    await setPlan(gateway, caller.owner, 'api_basic');
    expect(await submit('https://hooks.images.example/')).toEqual(['403 plan_feature', 'webhook_url']);
    const jobs = await gateway.ctx.db
      .selectFrom('jobs')
      .select('id')
      .where('accountId', '=', caller.owner.user.id)
      .execute();
    expect(jobs).toEqual([]);
  });
});

/** Returns whether a connection waits for a lock. */
const isWaiting = async () => (await countLockWaiters(gateway.ctx.db)) > 0;

it('an endpoint is deleted only after a concurrent transaction adds its delivery', async () => {
  const caller = await openV1Caller(gateway, { tier: 'enterprise', scopes: ['webhooks', 'read'] });
  const made = await caller.call('POST', '/v1/webhooks', json({ url: 'https://images.example/hook' }));
  const { id } = (await made.json()) as { id: string };
  const accountId = caller.owner.user.id;
  await caller.call('POST', `/v1/webhooks/${id}/test`);
  const { db } = gateway.ctx;
  const event = await db.selectFrom('events').select('id').where('accountId', '=', accountId).executeTakeFirstOrThrow();
  await db.deleteFrom('webhookDeliveries').execute();
  const { deleting } = await db.transaction().execute(async (tx) => {
    const [endpoint] = await lockEndpoints(tx, accountId);
    if (!endpoint) throw new Error('there is no endpoint');
    const started = caller.call('DELETE', `/v1/webhooks/${id}`);
    await waitUntil(isWaiting);
    await insertDeliveries(tx, [makeDelivery(endpoint, event)]);
    return { deleting: started };
  });
  expect((await deleting).status).toBe(204);
  expect(await db.selectFrom('webhookDeliveries').selectAll().execute()).toEqual([]);
});

it('sends no more test events than the number of a day, and says when the next one can be sent', async () => {
  const { id } = await (await create(caller)).json();
  const test = () => caller.call('POST', `/v1/webhooks/${id}/test`);
  expect((await test()).status).toBe(202);
  await gateway.ctx.db.updateTable('dailyCounts').set({ count: dailyLimits.webhookTests }).execute();
  const answer = await test();
  expect(outcome(answer)).toBe('429 rate_limited');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await answer.json()).detail).toContain('daily limit of 1,000 test events');
});
