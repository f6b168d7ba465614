import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { findSandboxTrigger, sandbox, sandboxTriggers, slowJobSeconds } from '@uprez/contracts/policy/sandbox';
import type { V1Batch, V1Job } from '@uprez/contracts/v1/schemas';
import { deletePreviewRows } from '@uprez/db/queries/jobs/queued-jobs';
import { afterSeconds } from '@uprez/db/times';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { expireJobs } from '@uprez/domain/jobs/expire-jobs';
import { deleteMarkedObjects } from '@uprez/domain/uploads/delete-objects';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import type { RawBuilder } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { outcome } from '../support/accounts/api-keys.ts';
import { finishJob } from '../support/finish-job.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { expectV1Refused, json, openV1Caller, raw, type V1Caller } from '../support/v1-calls.ts';

// Not shared: it checks the ledger of all accounts.
const gateway = fileFixture(() => startTestGateway());
const image = await makeImage({ width: 400, height: 300 });
const live = testFixture(() => openV1Caller(gateway));
const test = testFixture(() => openV1Caller(gateway, { owner: live.owner, kind: 'test', monthlyCap: 1 }));
afterAll(async () => {
  expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
});

const standard = { engine: 'standard' };
const named = (name: string, fields: Record<string, string> = {}) => ({
  body: imageForm(image, { ...standard, ...fields }, name),
});

describe('a sandbox job', () => {
  it('is small, marked, free, and absent from the lists, counts, and streams of the account', async () => {
    const before = await gateway.ctx.db.selectFrom('ledger').select('id').execute();
    const jobs = [
      await test.submit({ body: imageForm(image, { ...standard, scale: '8', format: 'png' }) }),
      (await (
        await live.call('POST', `${sandbox.prefix}/process?async=true`, {
          body: imageForm(image, { ...standard, scale: '8', format: 'png', cache: 'false' }),
        })
      ).json()) as V1Job,
    ];
    for (const job of jobs) {
      expect(job).toMatchObject({ sandbox: true, format: 'png', original_size: { width: 400, height: 300 } });
      expect(job.notes.join(' ')).toContain('512 pixels per side instead of 3200 x 2400');
      const { plan, recipe } = await gateway.ctx.db
        .selectFrom('jobs')
        .select(['plan', 'recipe'])
        .where('id', '=', job.id)
        .executeTakeFirstOrThrow();
      expect([plan.output.width, plan.output.height, recipe.retention]).toEqual([512, 384, sandbox.maxHours]);
      await finishJob(gateway.ctx, job.id);
      expect(outcome(await live.owner.fetch(`${gateway.url}/api/jobs/${job.id}`))).toBe('404 job_not_found');
      expect(outcome(await live.call('GET', `/v1/jobs/${job.id}`))).toBe('404 job_not_found');
      expect(outcome(await test.call('GET', `/v1/jobs/${job.id}`))).toBe('200');
      expect(outcome(await live.call('GET', `${sandbox.prefix}/jobs/${job.id}`))).toBe('200');
    }
    expect(jobs[1]?.status_url).toBe(`http://images.example/v1/sandbox/jobs/${jobs[1]?.id}`);
    expect((await live.owner.client.listJobs({})).data).toEqual([]);
    expect((await live.owner.client.dashboardStats()).data).toMatchObject({ apiCalls: 0, imagesProcessed: 0 });
    expect((await (await live.call('GET', '/v1/jobs')).json()).data).toEqual([]);
    expect((await (await test.call('GET', '/api/v1/jobs')).json()).data).toHaveLength(2);
    expect(await gateway.ctx.db.selectFrom('ledger').select('id').execute()).toEqual(before);
  });

  it('charges no credits, even beyond the monthly cap of the key', async () => {
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push(await test.call('POST', '/v1/process?async=1', named('a.png')));
    for (const { headers } of answers) {
      expect(headers.get('x-credits-charged')).toBe('0');
      expect(headers.get('x-credits-remaining')).toBe(String(currentPlans.api_basic.included.shared));
    }
  });

  it('is free and limited by account on a plan without API access, which has no other endpoint of it', async () => {
    const free = await openV1Caller(gateway, { tier: 'free', kind: 'test' });
    const job = await free.submit(named('a.png', { scale: '4' }));
    expect(job.sandbox).toBe(true);
    expect(job.notes.join(' ')).toContain('512 pixels per side');
    const rotated = (await free.owner.client.rotateApiKey({ params: { id: free.keyId }, body: {} })).data;
    const send = (key: string) =>
      fetch(`${gateway.url}/v1/process?async=1`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        ...named('a.png'),
      });
    const left = async (key: string) => Number((await send(key)).headers.get('ratelimit-remaining'));
    const before = await left(free.key);
    expect(await left(rotated.key)).toBe(before - 1);
    expect(outcome(await free.call('GET', '/v1/events'))).toBe('403 plan_feature');
    const ledger = await gateway.ctx.db.selectFrom('ledger').select('id').where('jobId', '=', job.id).execute();
    expect(ledger).toEqual([]);
  });

  it('returns 413 for a file over the sandbox limit', async () => {
    await expectV1Refused(gateway, () => test.call('POST', '/v1/process', raw(Buffer.alloc(sandbox.maxBytes + 1))), {
      status: 413,
      code: 'file_too_large',
    });
  });

  it('has idempotency keys separate from live jobs', async () => {
    const headers = { 'idempotency-key': 'one', prefer: 'respond-async' };
    const send = async (by: V1Caller) =>
      (await (await by.call('POST', '/v1/process', { ...named('a.png'), headers })).json()) as V1Job;
    const [ofTest, ofLive, again] = [await send(test), await send(live), await send(test)];
    expect(ofLive.sandbox).toBe(false);
    expect(again.id).toBe(ofTest.id);
    expect(ofLive.id).not.toBe(ofTest.id);
  });

  it('returns the same errors as a live job', async () => {
    await expectV1Refused(gateway, () => test.call('POST', '/v1/process?scale=9&engine=photo', raw(image)), {
      status: 403,
      code: 'plan_feature',
      param: 'scale',
    });
  });
});

describe('sandbox data', () => {
  const age = (id: string, times: { expiresAt?: RawBuilder<Date>; finishedAt?: RawBuilder<Date> }) =>
    gateway.ctx.db.updateTable('jobs').set(times).where('id', '=', id).execute();
  const filesOf = async (id: string) =>
    (await gateway.ctx.db.selectFrom('objects').select('key').where('jobId', '=', id).execute()).length;

  it('expires after an hour and is deleted after a day, unlike live data', async () => {
    const ofLive = await live.submit(named('a.png'));
    const { id } = await test.submit(named('a.png', { retention: '24' }));
    for (const job of [ofLive.id, id]) await finishJob(gateway.ctx, job);
    const done = (await (await test.call('GET', `/v1/jobs/${id}`)).json()) as V1Job;
    expect(Date.parse(done.expires_at ?? '') - Date.now()).toBeLessThanOrEqual(sandbox.maxHours * 3_600_000);
    expect(await expireJobs(gateway.ctx)).toBe(0);
    await age(id, { expiresAt: afterSeconds(-1) });
    expect(await expireJobs(gateway.ctx)).toBe(1);
    expect((await (await test.call('GET', `/v1/jobs/${id}`)).json()).status).toBe('expired');
    const link = new URL(done.download_url ?? '');
    expect((await fetch(gateway.url + link.pathname + link.search)).status).toBe(410);
    await deleteMarkedObjects(gateway.ctx, 600);
    expect([await filesOf(id), await filesOf(ofLive.id)]).toEqual([0, 2]);
    expect(await deletePreviewRows(gateway.ctx.db)).toBe(0);
    for (const job of [ofLive.id, id]) await age(job, { finishedAt: afterSeconds(-86_401) });
    expect(await deletePreviewRows(gateway.ctx.db)).toBe(1);
    expect(outcome(await test.call('GET', `/v1/jobs/${id}`))).toBe('404 job_not_found');
    expect(outcome(await live.call('GET', `/v1/jobs/${ofLive.id}`))).toBe('200');
  });
});

describe('a test trigger', () => {
  const triggers = sandboxTriggers.map(({ name }) => name).filter((name) => name.startsWith('error-'));

  it.each(triggers)('%s returns its error, and has no effect with a live key', async (name) => {
    const found = findSandboxTrigger(`${name}.png`);
    if (!found || !('code' in found)) throw new Error(`no trigger for ${name}`);
    const { code } = found;
    const { status } = errorCodes[code];
    const answer = await test.call('POST', '/v1/process', named(`${name}.png`));
    expect(outcome(answer)).toBe(`${status} ${code}`);
    if (found.kind === 'fail') {
      const job = await test.submit(named(`${name}.PNG`));
      expect(job).toMatchObject({ status: 'failed', success: false, error: { code } });
      expect(answer.headers.get('x-job-id')).toBeTruthy();
    }
    const ofLive = await live.submit(named(`${name}.png`));
    expect(ofLive.status).toBe('queued');
  });

  it.each<[string, object]>([
    ['quota_exceeded', { have: 0, needs: 1, resets_at: expect.any(String), upgrade_url: expect.any(String) }],
    ['key_cap_exceeded', { cap: 1, needs: 1, have: 0, resets_at: expect.any(String) }],
    ['file_too_large', { limit: sandbox.maxBytes }],
    ['output_too_large', { limit: expect.any(Number), value: expect.any(Number), max_factor: 2 }],
    ['plan_feature', { limit: expect.any(Number), value: expect.any(Number), unlocked_by: 'enterprise' }],
    ['storage_full', { limit: expect.any(Number), value: expect.any(Number) }],
    ['rate_limited', { retry_after_s: expect.any(Number) }],
  ])('error-%s has the details of the real error', async (code, meta) => {
    const answer = await test.call('POST', '/v1/process', named(`error-${code}.png`));
    const problem = await answer.json();
    expect(problem.meta).toEqual(expect.objectContaining({ ...meta, sandbox: true }));
    const { max_factor: maxFactor } = problem.meta;
    expect(problem.max_scale).toBe(maxFactor);
    if (answer.status === 429) expect(answer.headers.get('retry-after')).toBe(String(problem.meta.retry_after_s));
  });

  it('works for raw bodies and JSON, too', async () => {
    const code = 'corrupt_image';
    const query = `?filename=error-${code}.png`;
    expect(outcome(await test.call('POST', `/v1/process${query}`, raw(image)))).toBe(`422 ${code}`);
    const body = json({ image: image.toString('base64'), filename: `error-${code}` });
    expect(outcome(await test.call('POST', '/v1/process', body))).toBe(`422 ${code}`);
  });

  it('fails one image of a batch, uploaded separately or in one form', async () => {
    const names = ['error-corrupt_image.png', 'error-processing_crashed.png', 'a.png'];
    const items = names.map((name, at) => ({ client_id: String(at), name }));
    const announced = await test.call('POST', '/v1/batches', json({ items, recipe: standard }));
    const batch = (await announced.json()) as V1Batch;
    const outcomes = [];
    for (const item of batch.items)
      outcomes.push(outcome(await test.call('PUT', `/v1/batches/${batch.id}/items/${item.id}`, raw(image))));
    expect(outcomes).toEqual(['422 corrupt_image', '200', '200']);
    const form = new FormData();
    for (const name of names) form.append('images', new Blob([new Uint8Array(image)]), name);
    form.set('async', 'true');
    form.set('engine', 'standard');
    const inOne = (await (await test.call('POST', '/v1/bulk', { body: form })).json()) as V1Batch;
    for (const { id } of [batch, inOne]) {
      const read = (await (await test.call('GET', `/v1/batches/${id}`)).json()) as V1Batch;
      expect(read.items.map(({ status, error }) => error?.code ?? status)).toEqual([
        'corrupt_image',
        'processing_crashed',
        'queued',
      ]);
    }
  });

  it('slow delays the job', async () => {
    const { id } = await test.submit(named('slow.png'));
    const { notBefore, createdAt } = await gateway.ctx.db
      .selectFrom('jobs')
      .select(['notBefore', 'createdAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(notBefore.getTime() - createdAt.getTime()).toBe(slowJobSeconds * 1_000);
    for (let claim = await claimNextJob(gateway.ctx, { workerId: 't', leaseS: 9 }); claim; )
      claim = await claimNextJob(gateway.ctx, { workerId: 't', leaseS: 9 });
    expect((await (await test.call('GET', `/v1/jobs/${id}`)).json()).status).toBe('queued');
  });
});

describe('a sandbox batch', () => {
  it('is free and hidden from live keys', async () => {
    const made = await test.call(
      'POST',
      '/v1/batches',
      json({ items: [{ client_id: 'a', name: 'a.png' }], recipe: standard }),
    );
    const batch = (await made.json()) as V1Batch;
    expect([made.status, batch.sandbox, made.headers.get('x-credits-charged')]).toEqual([201, true, '0']);
    expect(outcome(await live.call('GET', `/v1/batches/${batch.id}`))).toBe('404 batch_not_found');
    const put = `/v1/batches/${batch.id}/items/${batch.items[0]?.id}`;
    const item = await (await test.call('PUT', put, raw(image))).json();
    expect(item.status).toBe('queued');
    await finishJob(gateway.ctx, item.job_id);
    const done = (await (await test.call('GET', `/v1/batches/${batch.id}`)).json()) as V1Batch;
    expect(done).toMatchObject({ status: 'finished', counts: { completed: 1 } });
    const other = await test.call('POST', '/v1/batches', json({ items: [{ client_id: 'a', name: 'a.png' }] }));
    const { id } = (await other.json()) as V1Batch;
    expect(outcome(await test.call('POST', `/v1/batches/${id}/cancel`))).toBe('200');
  });
});
