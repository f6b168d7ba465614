import { freeNotes } from '@uprez/contracts/policy/free-jobs';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { V1Job } from '@uprez/contracts/v1/schemas';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { describe, expect, it } from 'vitest';
import { outcome } from '../support/accounts/api-keys.ts';
import { claimJob, finishJob, finishWithSourceHash } from '../support/finish-job.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { expectV1Refused, json, openV1Caller, raw, type V1Caller } from '../support/v1-calls.ts';

// Not shared: it deletes the jobs of all accounts.
const gateway = fileFixture(() => startTestGateway());
const image = await makeImage({ width: 40, height: 30 });
const caller = testFixture(() => openV1Caller(gateway));

const recipeOf = async ({ id }: V1Job) =>
  (await gateway.ctx.db.selectFrom('jobs').select('recipe').where('id', '=', id).executeTakeFirstOrThrow()).recipe;
const standard = { engine: 'standard' };

describe('POST /v1/process', () => {
  it('creates the same job from a form, a raw body, base64, and a data URL', async () => {
    const asked = { ...standard, scale: '3' };
    const query = `?${new URLSearchParams({ ...asked, filename: 'photo.png' })}`;
    const base64 = image.toString('base64');
    const jobs = [
      await caller.submit({ body: imageForm(image, asked) }),
      await caller.submit({ body: imageForm(image) }, `?${new URLSearchParams(asked)}`),
      await caller.submit(raw(image), query),
      await caller.submit(raw(image, 'application/octet-stream'), query),
      await caller.submit(json({ image: base64, engine: 'standard', scale: 3, filename: 'photo.png' })),
      await caller.submit(
        json({ image: `data:image/png;base64,${base64}`, engine: 'standard', scale: '3', filename: 'photo.png' }),
      ),
    ];
    for (const job of jobs)
      expect(job).toMatchObject({
        success: null,
        status: 'queued',
        filename: 'photo.png',
        scale_factor: 3,
        format: 'jpeg',
        quality: 85,
        engine: 'standard',
        original_size: { width: 40, height: 30, file_size: image.length },
        processed_size: null,
        download_url: null,
        status_url: `http://images.example/v1/jobs/${job.id}`,
        notes: [],
        sandbox: false,
      });
    expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(jobs.length);
  });

  it('upscales by 2 to a JPEG of quality 85 by default', async () => {
    const job = await caller.submit({ body: imageForm(image) });
    expect(await recipeOf(job)).toMatchObject({ scaleFactor: 2, format: 'jpeg', quality: 85, engine: 'auto' });
  });

  it.each(['scaleFactor', 'scale', 'scale_factor', 'scale-factor', 'factor', 'x'])(
    'accepts the scale as %s in a form, a query, and JSON',
    async (name) => {
      const jobs = [
        await caller.submit({ body: imageForm(image, { ...standard, [name]: '1.5' }) }),
        await caller.submit(raw(image), `?engine=standard&${name}=1.5`),
        await caller.submit(json({ image: image.toString('base64'), ...standard, [name]: 1.5 })),
      ];
      const [first, ...rest] = await Promise.all(jobs.map(recipeOf));
      expect(first).toMatchObject({ scaleFactor: 1.5 });
      for (const recipe of rest) expect(recipe).toEqual(first);
    },
  );

  it('keeps metadata without the location when preserve_metadata is set', async () => {
    const job = await caller.submit({ body: imageForm(image, { ...standard, preserve_metadata: 'true' }) });
    expect(await recipeOf(job)).toMatchObject({ metadata: 'all', gps: false });
    const without = await caller.submit({ body: imageForm(image, { ...standard, preserveMetadata: 'no' }) });
    expect(await recipeOf(without)).toMatchObject({ metadata: 'none' });
  });

  it('returns a transparent image as PNG with a note when no format is set, and as JPEG when it is', async () => {
    const clear = await makeImage({ width: 40, height: 30, alpha: true });
    const job = await caller.submit({ body: imageForm(clear, standard) });
    expect(job.format).toBe('png');
    expect(job.notes).toEqual([expect.stringMatching(/transparency.*PNG/)]);
    const { notes } = (await (await caller.call('GET', `/v1/jobs/${job.id}`)).json()) as V1Job;
    expect(notes).toEqual(job.notes);
    const asked = await caller.submit({ body: imageForm(clear, { ...standard, format: 'jpg', background: '#fff' }) });
    expect([asked.format, asked.notes]).toEqual(['jpeg', []]);
  });

  it('returns a note for options without effect', async () => {
    const job = await caller.submit({ body: imageForm(image, { ...standard, format: 'png', quality: '50' }) });
    expect(job.notes).toEqual(['"quality" has no effect on PNG.']);
  });

  it('accepts files up to the limit of the plan, which is larger than on the web', async () => {
    const limit = currentPlans.api_basic.uploadBytes.api;
    const problem = await (await caller.call('POST', '/v1/process', raw(Buffer.alloc(limit + 1)))).json();
    expect(problem).toMatchObject({
      status: 413,
      code: 'file_too_large',
      detail: "The file is larger than 100 MB. You weren't charged.",
      meta: { limit },
    });
    const answer = await caller.call('POST', '/v1/process', raw(Buffer.alloc(60 * 1024 * 1024)));
    expect(outcome(answer)).toBe('415 unsupported_format');
  });
});

describe('the response', () => {
  it('is 202 when the request does not wait, with the applied preference', async () => {
    const init = { body: imageForm(image, standard) };
    const byHeader = await caller.call('POST', '/v1/resize', { ...init, headers: { prefer: 'respond-async' } });
    expect([byHeader.status, byHeader.headers.get('preference-applied')]).toEqual([202, 'respond-async']);
    const { id } = (await byHeader.json()) as V1Job;
    expect(byHeader.headers.get('x-job-id')).toBe(id);
    expect(byHeader.headers.get('location')).toBe(`/v1/jobs/${id}`);
    const byField = await caller.call('POST', '/v1/process?async=true', init);
    expect(byField.status).toBe(202);
    const short = await caller.call('POST', '/v1/process', { ...init, headers: { prefer: 'wait=1' } });
    expect([short.status, short.headers.get('preference-applied')]).toEqual([202, 'wait=1']);
    const headers = { prefer: 'wait=abc' };
    const malformed = await caller.call('POST', '/v1/process?dry_run=1', { ...init, headers });
    expect(malformed.headers.has('preference-applied')).toBe(false);
  });

  it('is 200 with the result when the request waits, with a link that works without a key', async () => {
    const asked = caller.call('POST', '/v1/process', { body: imageForm(image, standard) });
    const { id } = await expect
      .poll(() =>
        gateway.ctx.db.selectFrom('jobs').select('id').where('apiKeyId', '=', caller.keyId).executeTakeFirst(),
      )
      .toBeTruthy()
      .then(() =>
        gateway.ctx.db.selectFrom('jobs').select('id').where('apiKeyId', '=', caller.keyId).executeTakeFirstOrThrow(),
      );
    await finishJob(gateway.ctx, id, 'the bytes');
    const answer = await asked;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-credits-charged')).toBe('1');
    const job = (await answer.json()) as V1Job;
    expect(job).toMatchObject({ id, job_id: id, success: true, status: 'completed', progress: 100 });
    expect(job.processing_time).toBe((job.processing_time_ms ?? 0) / 1_000);
    const link = new URL(job.download_url ?? '');
    expect(link.origin).toBe('http://images.example');
    expect(link.pathname).toBe(`/v1/files/${id}/photo-2x.jpg`);
    expect(await (await fetch(gateway.url + link.pathname + link.search)).text()).toBe('the bytes');
    const spoiled = await fetch(`${gateway.url}${link.pathname}${link.search}x`);
    expect([spoiled.status, spoiled.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });

  it('has headers with the credits charged and remaining, the reset time, and both families of rate limits', async () => {
    const answer = await caller.call('POST', '/v1/process?async=1', { body: imageForm(image, standard) });
    const { shared } = currentPlans.api_basic.included;
    const told = (name: string) => answer.headers.get(name);
    expect([told('x-credits-charged'), told('x-credits-remaining')]).toEqual(['1', String(shared - 1)]);
    expect(Date.parse(told('x-quota-reset') ?? '')).toBeGreaterThan(Date.now());
    for (const family of ['ratelimit', 'x-ratelimit'])
      for (const name of ['limit', 'remaining', 'reset']) expect(Number(told(`${family}-${name}`))).toBeGreaterThan(0);
    const refused = await caller.call('POST', '/v1/process?scale=0', { body: imageForm(image) });
    expect(refused.headers.get('x-credits-charged')).toBe('0');
    expect(refused.headers.get('x-credits-remaining')).toBe(String(shared - 1));
  });

  it('counts as an API call, not as an image of the web app', async () => {
    const job = await caller.submit({ body: imageForm(image, standard) });
    await finishJob(gateway.ctx, job.id);
    const { data } = await caller.owner.client.dashboardStats();
    expect(data).toMatchObject({ apiCalls: 1, imagesProcessed: 0 });
    expect((await caller.owner.client.getJob({ params: { id: job.id } })).status).toBe(200);
  });
});

describe('a dry run', () => {
  it('returns the planned result, and creates, stores, and charges nothing', async () => {
    const before = await gateway.ctx.db.selectFrom('objects').select('id').execute();
    const answer = await caller.call('POST', '/v1/process?dry_run=true', {
      body: imageForm(image, { ...standard, scale: '4' }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      dry_run: true,
      width: 160,
      height: 120,
      format: 'jpeg',
      engine: 'standard',
      units: 1,
      meter: 'shared',
    });
    expect(answer.headers.get('x-credits-charged')).toBe('0');
    expect(await gateway.ctx.db.selectFrom('objects').select('id').execute()).toEqual(before);
  });

  it('returns the same error as the call itself', async () => {
    await expectV1Refused(
      gateway,
      () => caller.call('POST', '/v1/process?dry_run=true&scale=100&engine=photo', { body: imageForm(image) }),
      { status: 403, code: 'plan_feature', param: 'scale' },
    );
  });
});

describe('a scale over the limit', () => {
  it.each([
    ['/v1/process?scale=9&engine=photo', { status: 403, code: 'plan_feature', param: 'scale' }, 8],
    ['/v1/process?factor=129', { status: 422, code: 'invalid_parameter', param: 'factor' }, 128],
    ['/v1/process?long_side=400&engine=photo', { status: 403, code: 'plan_feature', param: 'long_side' }, 8],
  ])('%s returns an error with the largest allowed scale', async (path, expected, max) => {
    const problem = await expectV1Refused(
      gateway,
      () => caller.call('POST', path, { body: imageForm(image) }),
      expected,
    );
    expect(problem.max_scale).toBe(max);
    expect(problem.hint).toBeTruthy();
    expect(problem.documentation_url).toBe(`http://images.example/documentation#${expected.code}`);
  });

  it('up to 128 is accepted with the standard engine', async () => {
    const tiny = await makeImage({ width: 4, height: 4 });
    const job = await caller.submit({ body: imageForm(tiny, { ...standard, scale: '128' }) });
    expect(job.scale_factor).toBe(128);
  });
});

describe("options that can't be combined", () => {
  const whole = 'a whole multiple of the size of the image';
  it.each([
    ['engine=nearest&scale=1.5', { code: 'invalid_parameter', param: 'scale', allowed: whole }, /60 x 45 pixels/],
    ['engine=nearest&scale=0.5', { code: 'invalid_parameter', param: 'scale', allowed: whole }, /20 x 15 pixels/],
    ['engine=nearest&width=90', { code: 'invalid_parameter', param: 'width', allowed: whole }, /whole scale factor/],
    ['engine=nearest&scale=2&grain=5', { code: 'conflicting_params', param: 'grain', allowed: '0' }, /"nearest"/],
    ['edges=wrap&width=80&height=80&fit=cover', { code: 'conflicting_params', param: 'edges' }, /"cover" crops/],
    ['edges=mirror', { code: 'invalid_parameter', param: 'edges', allowed: 'clamp, wrap' }, /clamp, wrap/],
    ['alpha=straight', { code: 'invalid_parameter', param: 'alpha' }, /transparency, data/],
  ])('%s returns 422', async (query, expected, sentence) => {
    const make = () => caller.call('POST', `/v1/process?${query}`, { body: imageForm(image) });
    const problem = await expectV1Refused(gateway, make, { status: 422, ...expected });
    expect(problem.detail).toMatch(sentence);
  });

  it.each(['jpeg', 'avif', 'gif'])('alpha=data returns 422 with %s', async (format) => {
    const texture = await makeImage({ width: 40, height: 30, alpha: true });
    const make = () => caller.call('POST', `/v1/process?alpha=data&format=${format}`, { body: imageForm(texture) });
    const problem = await expectV1Refused(gateway, make, { status: 422, code: 'conflicting_params', param: 'format' });
    expect(problem.detail).toMatch(/can't keep an alpha channel of data.*PNG, TIFF, WebP, or JPEG XL/);
  });
});

describe('options for textures and pixel art', () => {
  it('are part of the recipe and of the response', async () => {
    const texture = await makeImage({ width: 40, height: 30, alpha: true });
    const asked = { edges: 'wrap', alpha: 'data', engine: 'nearest', scale: '3' };
    const job = await caller.submit({ body: imageForm(texture, asked) });
    expect(job).toMatchObject({ engine: 'nearest', scale_factor: 3, format: 'png' });
    expect(await recipeOf(job)).toMatchObject({ edges: 'wrap', alpha: 'data', engine: 'nearest' });
    const { data } = await caller.owner.client.getJob({ params: { id: job.id } });
    expect(data).toMatchObject({ recipe: { edges: 'wrap', alpha: 'data' } });
  });

  it('count as a standard image with nearest', async () => {
    const user = await gateway.signUp();
    const init = { method: 'POST', headers: { prefer: 'respond-async' } };
    const body = imageForm(image, { engine: 'nearest', scaleFactor: '2' });
    const answer = await user.fetch(`${gateway.url}/api/images/process`, { ...init, body });
    expect(answer.status, await answer.clone().text()).toBe(202);
    const { id } = (await answer.json()) as { id: string };
    const rows = gateway.ctx.db.selectFrom('ledger').select(['meter', 'units']).where('jobId', '=', id);
    expect(await rows.execute()).toEqual([{ meter: 'standard', units: -1 }]);
  });
});

describe('an identical call', () => {
  const make = async (fields: Record<string, string> = {}) =>
    caller.call('POST', '/v1/process', {
      body: imageForm(image, { ...standard, ...fields }),
      headers: { prefer: 'respond-async' },
    });

  it('creates a job of its own, whose result is free while the first is stored, except with cache=false', async () => {
    await gateway.ctx.db.deleteFrom('jobs').where('status', '=', 'queued').execute();
    const { id } = (await (await make()).json()) as V1Job;
    await finishWithSourceHash(gateway.ctx, id);
    const send = async (query: string, name = 'another.png') => {
      const answer = caller.call('POST', `/v1/process${query}`, { body: imageForm(image, standard, name) });
      const queued = gateway.ctx.db.selectFrom('jobs').select('id').where('status', '=', 'queued');
      const { id: queuedId } = await waitUntil(async () => (await queued.execute()).at(0));
      await finishJob(gateway.ctx, queuedId);
      return answer;
    };
    const again = await send('');
    expect([again.status, again.headers.get('x-cache'), again.headers.get('x-credits-charged')]).toEqual([
      200,
      'hit',
      '0',
    ]);
    const job = (await again.json()) as V1Job;
    expect(job).toMatchObject({ filename: 'another.png', credits: 0, cached: true, notes: [freeNotes.repeated] });
    expect(job.id).not.toBe(id);
    for (const query of ['?quality=84', '?cache=false']) {
      const other = await send(query);
      expect([query, other.headers.get('x-cache'), other.headers.get('x-credits-charged')]).toEqual([
        query,
        'miss',
        '1',
      ]);
      expect(await other.json()).toMatchObject({ credits: 1, cached: false });
    }
  });

  it('creates a separate job while the first is queued, and canceling one keeps the other', async () => {
    const [one, two] = [(await (await make()).json()) as V1Job, (await (await make()).json()) as V1Job];
    expect(two.id).not.toBe(one.id);
    await caller.call('DELETE', `/v1/jobs/${one.id}`);
    expect((await (await caller.call('GET', `/v1/jobs/${two.id}`)).json()).status).toBe('queued');
  });
});

describe('an idempotency key', () => {
  it('creates one job and charges one unit for 50 concurrent requests', async () => {
    const init = {
      body: new Uint8Array(image),
      headers: { 'content-type': 'image/png', 'idempotency-key': 'k', prefer: 'respond-async' },
    };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => caller.call('POST', '/v1/process?engine=standard', init)),
    );
    const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as V1Job).id));
    expect(new Set(ids).size).toBe(1);
    const charged = answers.map(({ headers }) => headers.get('x-credits-charged'));
    expect(charged.filter((units) => units === '1')).toHaveLength(1);
    expect(charged.filter((units) => units === '0')).toHaveLength(49);
    expect(answers.filter(({ headers }) => headers.has('x-cache'))).toEqual([]);
  });

  it('is shared by keys of one account only, and returns idempotency_mismatch for another image or a batch', async () => {
    const send = (by: V1Caller, init: RequestInit, path = '/v1/process?engine=standard&async=true') =>
      by.call('POST', path, { ...init, headers: { ...(init.headers as object), 'idempotency-key': 'mine' } });
    const first = (await (await send(caller, raw(image))).json()) as V1Job;
    const stranger = await openV1Caller(gateway);
    const other = (await (await send(stranger, raw(image))).json()) as V1Job;
    expect(other.id).not.toBe(first.id);
    const sibling = await openV1Caller(gateway, { owner: caller.owner });
    expect(((await (await send(sibling, raw(image))).json()) as V1Job).id).toBe(first.id);
    const another = await makeImage({ width: 41, height: 30 });
    expect(outcome(await send(caller, raw(another)))).toBe('422 idempotency_mismatch');
    const batch = json({ items: [{ client_id: 'a', name: 'a.png' }] });
    expect(outcome(await send(caller, batch, '/v1/batches'))).toBe('422 idempotency_mismatch');
  });

  it('returns 422 with more than 255 characters', async () => {
    await expectV1Refused(
      gateway,
      () =>
        caller.call('POST', '/v1/process', {
          body: imageForm(image),
          headers: { 'idempotency-key': 'k'.repeat(256) },
        }),
      { status: 422, code: 'invalid_parameter', param: 'Idempotency-Key' },
    );
  });
});

describe('the monthly cap of a key', () => {
  it('counts its jobs, is returned with its reset time in the error, and is refunded when a job is canceled', async () => {
    const capped = await openV1Caller(gateway, { monthlyCap: 1 });
    const job = await capped.submit({ body: imageForm(image, standard) });
    const problem = await expectV1Refused(
      gateway,
      () => capped.call('POST', '/v1/process', { body: imageForm(image, { ...standard, scale: '3' }) }),
      { status: 402, code: 'key_cap_exceeded' },
    );
    expect(problem.meta).toMatchObject({ cap: 1, needs: 1, have: 0, resets_at: expect.any(String) });
    const cancelled = await capped.call('DELETE', `/v1/jobs/${job.id}`);
    expect(await cancelled.json()).toMatchObject({ id: job.id, status: 'cancelled', success: false });
    await capped.submit({ body: imageForm(image, standard) });
  });
});

it('the job of a key is claimed like other jobs', async () => {
  const job = await caller.submit({ body: imageForm(image, standard) });
  expect(await claimJob(gateway.ctx, job.id)).toBe(1);
});

describe('a mask', () => {
  const ai = { engine: 'photo-fast' };
  /** A PNG with the size of the image or another one. */
  const makeMask = (size = { width: 40, height: 30 }) => makeImage(size);
  const withMask = (mask: Buffer, fields: Record<string, string> = ai) => {
    const form = imageForm(image, fields);
    form.set('mask', new Blob([new Uint8Array(mask)]), 'mask.png');
    return form;
  };
  const maskOf = async (job: V1Job) => (await recipeOf(job)).mask;

  it('is stored with the job from a file, a text field, and JSON, and not returned', async () => {
    const mask = await makeMask({ width: 20, height: 15 });
    const base64 = mask.toString('base64');
    const jobs = [
      await caller.submit({ body: withMask(mask) }),
      await caller.submit({ body: imageForm(image, { ...ai, mask: base64 }) }),
      await caller.submit(json({ image: image.toString('base64'), ...ai, mask: `data:image/png;base64,${base64}` })),
    ];
    for (const job of jobs) {
      expect(await maskOf(job)).toBe(base64);
      const found = await (await caller.call('GET', `/v1/jobs/${job.id}`)).json();
      expect(JSON.stringify(found)).not.toContain(base64);
    }
  });

  it('is removed when the job is canceled', async () => {
    const job = await caller.submit({ body: withMask(await makeMask()) });
    expect(await maskOf(job)).toBeDefined();
    await caller.call('DELETE', `/v1/jobs/${job.id}`);
    expect(await maskOf(job)).toBeUndefined();
    expect(await recipeOf(job)).toMatchObject(ai);
  });

  it('is removed when the result is deleted', async () => {
    const job = await caller.submit({ body: withMask(await makeMask()) });
    await finishJob(gateway.ctx, job.id);
    expect(await maskOf(job)).toBeDefined();
    await caller.call('DELETE', `/v1/jobs/${job.id}`);
    expect(await maskOf(job)).toBeUndefined();
  });

  const invalid = { make: makeMask, fields: ai, code: 'invalid_parameter' };
  it.each([
    ['another format', { ...invalid, make: async () => Buffer.from('no image'.repeat(10)) }],
    ['other proportions', { ...invalid, make: () => makeMask({ width: 30, height: 30 }) }],
    ['more than 32 KB', { ...invalid, make: async () => Buffer.concat([await makeMask(), Buffer.alloc(32 * 1024)]) }],
    ['an engine without AI', { ...invalid, fields: standard, code: 'conflicting_params' }],
  ])('is rejected with %s, and stores no job', async (_, { make, fields, code }) => {
    const response = await caller.call('POST', '/v1/process', { body: withMask(await make(), fields) });
    expect(await response.json()).toMatchObject({ status: 422, code, param: 'mask' });
    const list = (await (await caller.call('GET', '/v1/jobs')).json()) as { data: unknown[] };
    expect(list.data).toEqual([]);
  });

  it('is rejected if it was sent twice', async () => {
    const form = withMask(await makeMask());
    form.append('mask', 'AAAA');
    expect(await (await caller.call('POST', '/v1/process', { body: form })).json()).toMatchObject({
      code: 'invalid_parameter',
      param: 'mask',
    });
  });

  it('does not raise the limit of other text fields', async () => {
    const body = imageForm(image, { ...ai, filename: 'a'.repeat(4_097) });
    expect(await (await caller.call('POST', '/v1/process', { body })).json()).toMatchObject({
      code: 'invalid_parameter',
      param: 'filename',
    });
  });
});
