import { createHash } from 'node:crypto';
import { limits } from '@uprez/contracts/policy/limits';
import { sandbox } from '@uprez/contracts/policy/sandbox';
import type { V1Job } from '@uprez/contracts/v1/schemas';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { countWatchers } from '@uprez/testing/redis';
import { imageForm } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultWaitSeconds, negotiate } from '../../src/features/jobs/request-preferences.ts';
import { changeKeyRow, outcome } from '../support/accounts/api-keys.ts';
import { claimJob, finishJob, finishWithSourceHash } from '../support/finish-job.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { expectV1Refused, openV1Caller, raw, type V1Caller } from '../support/v1-calls.ts';

const bytes = 'the bytes of a result';
const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
// Not shared: it checks the ledger of all accounts.
const gateway = fileFixture(() => startTestGateway());
const caller = testFixture(() => openV1Caller(gateway));
const pixel = await makeImage({ width: 1, height: 1 });
afterAll(async () => {
  expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
});

const jobsOf = ({ owner }: V1Caller) =>
  gateway.ctx.db.selectFrom('jobs').select(['id', 'recipe']).where('accountId', '=', owner.user.id).execute();
type Asked = { query?: string; headers?: Record<string, string>; by?: V1Caller; signal?: AbortSignal; prefix?: string };

/** Sends a raw image, and returns the response with the job, which waits to be finished. */
async function ask(accept: string, { query = '', headers = {}, by = caller, signal, prefix = '/v1' }: Asked = {}) {
  const known = new Set((await jobsOf(by)).map(({ id }) => id));
  const answer = by.call('POST', `${prefix}/process?engine=standard${query}`, {
    body: new Uint8Array(pixel),
    headers: { 'content-type': 'image/png', accept, ...headers },
    ...(signal && { signal }),
  });
  answer.catch(() => {});
  const job = await waitUntil(async () => (await jobsOf(by)).find(({ id }) => !known.has(id)));
  return { id: job.id, recipe: job.recipe, answer };
}
const fail = async (id: string) =>
  failJob(gateway.ctx, {
    jobId: id,
    attempt: await claimJob(gateway.ctx, id),
    code: 'corrupt_image',
    retryBaseS: 0,
  });
const told = ({ headers }: Response, ...names: string[]) => names.map((name) => headers.get(name));

describe('Accept: image/*', () => {
  it('returns the image with the headers of a file and of a charged request', async () => {
    const { id, answer } = await ask('image/*', { headers: { range: 'bytes=0-3', 'if-none-match': etag } });
    await finishJob(gateway.ctx, id, bytes);
    const response = await answer;
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(bytes.length),
      'content-disposition': 'attachment; filename=image-2x.jpg',
      etag,
      'x-job-id': id,
      'x-credits-charged': '1',
      'x-credits-remaining': expect.stringMatching(/^\d+$/),
      'x-quota-reset': expect.any(String),
      'x-cache': 'miss',
      'ratelimit-limit': expect.any(String),
      'x-ratelimit-remaining': expect.any(String),
      location: `/v1/jobs/${id}`,
      link: `</v1/jobs/${id}/receipt>; rel="describedby"; type="application/json"`,
    });
    expect(response.headers.has('accept-ranges')).toBe(false);
    expect(await response.text()).toBe(bytes);
    const receipt = await caller.call('GET', /<(.*?)>/.exec(response.headers.get('link') ?? '')?.[1] ?? '');
    expect(await receipt.json()).toMatchObject({ sha256: expect.any(String), engine: 'standard' });
  });

  it('returns 202 without a body when the wait ends or is not wanted, so no client saves JSON as an image', async () => {
    const short = await ask('image/*', { headers: { prefer: 'wait=1' } });
    const async = await ask('image/webp', { headers: { prefer: 'respond-async' } });
    const octets = await ask('application/octet-stream', { query: '&async=true' });
    for (const { id, answer } of [short, async, octets]) {
      const response = await answer;
      expect([response.status, ...told(response, 'location', 'content-type', 'content-length', 'x-job-id')]).toEqual([
        202,
        `/v1/jobs/${id}`,
        null,
        '0',
        id,
      ]);
      expect(await response.text()).toBe('');
    }
    await finishJob(gateway.ctx, async.id, bytes);
    expect(await (await caller.call('GET', `/v1/jobs/${async.id}/result`)).text()).toBe(bytes);
    const { id, answer } = await ask('image/*, application/json;q=0.1', { headers: { prefer: 'respond-async' } });
    expect(await (await answer).json()).toMatchObject({ id, status: 'queued' });
  });

  it('waits for the maximum by default, and a request for the job for the documented time', () => {
    const image = negotiate({ headers: { accept: 'image/*' } }, () => undefined);
    const job = negotiate({ headers: {} }, () => undefined);
    expect([image, job].map(defaultWaitSeconds)).toEqual([limits.maxWaitSeconds, limits.waitSeconds]);
  });

  it('returns the error of a failed or canceled job as a problem, with its ID and without a charge', async () => {
    const [failed, canceled] = [await ask('image/*'), await ask('image/*')];
    await caller.call('DELETE', `/v1/jobs/${canceled.id}`);
    await fail(failed.id);
    for (const [{ id, answer }, expected] of [
      [failed, '422 corrupt_image'],
      [canceled, '409 cancelled'],
    ] as const) {
      const response = await answer;
      expect(outcome(response)).toBe(expected);
      expect(told(response, 'x-job-id', 'content-type', 'x-credits-charged', 'link', 'etag')).toEqual([
        id,
        'application/problem+json',
        '0',
        null,
        null,
      ]);
    }
  });

  it('returns the same image for a repeated idempotency key, at no charge', async () => {
    const headers = { 'idempotency-key': 'one' };
    const { id, answer } = await ask('image/*', { headers });
    await finishWithSourceHash(gateway.ctx, id);
    await answer;
    const init = (more: object) => ({ ...raw(pixel), headers: { 'content-type': 'image/png', ...more } });
    const send = (accept: string, more = {}) =>
      caller.call('POST', '/v1/process?engine=standard', init({ accept, ...more }));
    const repeated = await send('image/*', headers);
    expect([repeated.status, ...told(repeated, 'x-job-id', 'x-credits-charged', 'x-cache', 'content-type')]).toEqual([
      ...[200, id, '0'],
      ...[null, 'image/jpeg'],
    ]);
    expect(await repeated.text()).toBe(bytes);
    expect(await (await send('application/json', headers)).json()).toMatchObject({ id, status: 'completed' });
    expect(outcome(await send('image/webp', headers))).toBe('422 idempotency_mismatch');
    await caller.call('DELETE', `/v1/jobs/${id}`);
    for (const accept of ['image/*', 'application/json', 'text/event-stream'])
      for (const prefer of ['wait=1', 'respond-async'])
        expect(outcome(await send(accept, { ...headers, prefer })), accept).toBe('410 result_expired');
  });

  it('works with sandbox keys and under the sandbox path', async () => {
    const test = await openV1Caller(gateway, { owner: caller.owner, kind: 'test' });
    for (const [by, prefix] of [
      [test, '/v1'],
      [caller, sandbox.prefix],
    ] as const) {
      const { id, answer } = await ask('image/png', { by, prefix });
      await finishJob(gateway.ctx, id, bytes);
      const response = await answer;
      expect([response.status, ...told(response, 'content-type', 'x-credits-charged')]).toEqual([
        200,
        'image/png',
        '0',
      ]);
      expect(await response.text()).toBe(bytes);
      const [link = ''] = told(response, 'link');
      expect((await by.call('GET', /<(.*?)>/.exec(link ?? '')?.[1] ?? '')).status).toBe(200);
    }
    const failing = await test.call('POST', '/v1/process', {
      body: imageForm(pixel, { engine: 'standard' }, 'error-processing_timeout.png'),
      headers: { accept: 'image/*' },
    });
    expect(outcome(failing)).toBe('422 processing_timeout');
  });
});

describe('the format', () => {
  it('is that of Accept, or of the "format" option, and conflicting_params if they differ', async () => {
    const prefer = { prefer: 'respond-async' };
    const formatOf = async (accept: string, query = '') =>
      (await ask(accept, { query, headers: prefer })).recipe.format;
    expect(await formatOf('image/webp')).toBe('webp');
    expect(await formatOf('image/avif;q=0.5, image/png')).toBe('png');
    expect(await formatOf('image/*', '&format=tiff')).toBe('tiff');
    expect(await formatOf('image/webp, image/png', '&format=png')).toBe('png');
    expect(await formatOf('image/jpeg', '&format=jpg')).toBe('jpeg');
    expect(await formatOf('image/*')).toBe('jpeg');
    for (const format of ['png', 'auto'])
      await expectV1Refused(
        gateway,
        () =>
          caller.call('POST', `/v1/process?format=${format}`, {
            ...raw(pixel),
            headers: { 'content-type': 'image/png', accept: 'image/webp' },
          }),
        { status: 422, code: 'conflicting_params', param: 'format' },
      );
  });

  it.each(['text/html', 'image/bmp', 'audio/*', 'nonsense;;,', 'image/*;q=0'])(
    'Accept: %s returns 406 with the types that can be sent, before the image is received',
    async (accept) => {
      const problem = await expectV1Refused(
        gateway,
        () => caller.call('POST', '/v1/process', { ...raw(Buffer.alloc(1_000_000)), headers: { accept } }),
        { status: 406, code: 'not_acceptable', param: 'Accept' },
      );
      expect(problem.allowed).toEqual(expect.arrayContaining(['application/json', 'image/webp', 'text/event-stream']));
    },
  );

  it('of a dry run is JSON', async () => {
    const run = (accept: string) =>
      caller.call('POST', '/v1/process?dry_run=true', { body: imageForm(pixel), headers: { accept } });
    expect(outcome(await run('image/*'))).toBe('406 not_acceptable');
    expect(await (await run('image/*, application/json;q=0.1')).json()).toMatchObject({ dry_run: true });
  });
});

describe('a client that waits for an image', () => {
  it('can disconnect: the job continues, its result stays available, and nobody watches it any more', async () => {
    const gone = new AbortController();
    const { id, answer } = await ask('image/*', { headers: { prefer: 'wait=60' }, signal: gone.signal });
    const watchers = () => countWatchers(gateway.ctx, caller.owner.user.id);
    await expect.poll(watchers).toBe(1);
    gone.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(watchers).toBe(0);
    await finishJob(gateway.ctx, id, bytes);
    expect(await (await caller.call('GET', `/v1/jobs/${id}/result`)).text()).toBe(bytes);
  });

  it('gets 401 and no image when its key is revoked during the wait, and the job stays with the account', async () => {
    for (const accept of ['image/*', 'application/json', 'text/event-stream']) {
      const by = await openV1Caller(gateway, { owner: caller.owner });
      const { id, answer } = await ask(accept, { by });
      if (accept === 'text/event-stream') await answer;
      await changeKeyRow(gateway, by.keyId, { isActive: false });
      await finishJob(gateway.ctx, id, bytes);
      const response = await answer;
      if (accept === 'text/event-stream') expect(await response.text()).not.toContain('download_url":"');
      else expect([outcome(response), response.headers.get('x-job-id')]).toEqual(['401 bad_api_key', id]);
      expect((await caller.call('GET', `/v1/jobs/${id}/result`)).status).toBe(200);
    }
  });

  it('ignores unknown and malformed preferences, and notes so in the job', async () => {
    const prefer = 'wait=-1, return=minimal, handling="strict", ;;, "';
    const image = await ask('image/*', { headers: { prefer } });
    const job = await ask('application/json', { headers: { prefer: `${prefer}, respond-async` } });
    const { notes } = (await (await job.answer).json()) as V1Job;
    const expected = ['wait=-1', 'return=minimal', 'handling="strict"', ';;', '"'];
    expect(notes.filter((note) => note.includes('preference'))).toEqual(
      expected.map((text) => `The preference "${text}" isn't supported and was ignored.`),
    );
    await finishJob(gateway.ctx, image.id, bytes);
    const response = await image.answer;
    expect([response.status, response.headers.get('preference-applied')]).toEqual([200, null]);
  });
});

/** The jobs of a whole event stream. */
const readEvents = async (response: Response) =>
  (await response.text())
    .split('\n\n')
    .filter((block) => block.includes('data: '))
    .map((block) => {
      expect(block).toMatch(/^id: \d{16}\nevent: job\ndata: /);
      return JSON.parse(block.slice(block.indexOf('data: ') + 6)) as V1Job;
    });

describe('Accept: text/event-stream', () => {
  it('streams the job until it ends, and charges and counts as other requests do', async () => {
    const { id, answer } = await ask('text/event-stream');
    const response = await answer;
    const names = ['content-encoding', 'content-type', 'x-job-id', 'x-credits-charged', 'location'];
    expect([response.status, ...told(response, ...names)]).toEqual([
      200,
      null,
      'text/event-stream',
      id,
      '1',
      `/v1/jobs/${id}`,
    ]);
    await finishJob(gateway.ctx, id, bytes);
    const jobs = await readEvents(response);
    expect(jobs[0]).toMatchObject({ id, status: 'queued', success: null });
    expect(jobs.at(-1)).toMatchObject({ id, status: 'completed', progress: 100, download_url: expect.any(String) });
    expect(Object.keys(jobs[0] ?? {})).not.toContain('thumbnail_url');
    const { data } = await caller.owner.client.listApiKeys();
    expect(data.find((key) => key.id === caller.keyId)?.usageCount).toBe(1);
  });

  it('is continued after the last event, by the ID of the job or by the same request', async () => {
    const { id, answer } = await ask('text/event-stream', { headers: { 'idempotency-key': 'resumed' } });
    const accept = 'text/event-stream';
    const follow = (lastEventId?: string) =>
      caller.call('GET', `/v1/jobs/${id}`, {
        headers: { accept, ...(lastEventId && { 'last-event-id': lastEventId }) },
      });
    const running = await follow();
    await finishJob(gateway.ctx, id, bytes);
    const idsOf = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, eventId]) => eventId ?? '');
    const ids = idsOf(await (await answer).text());
    expect(idsOf(await running.text())).toEqual(ids);
    const [first, last] = [ids[0], ids.at(-1)];
    const repeated = await caller.call('POST', '/v1/process?engine=standard', {
      ...raw(pixel),
      headers: { 'content-type': 'image/png', accept, 'idempotency-key': 'resumed', 'last-event-id': first ?? '' },
    });
    for (const response of [await follow(first), repeated]) expect(idsOf(await response.text())).toEqual([last]);
    expect((await follow(last)).status).toBe(204);
    const plain = await caller.call('GET', `/v1/jobs/${id}`, {
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect(await plain.json()).toMatchObject({ id, status: 'completed' });
  });

  it('is recognized in any case and with parameters, and an ambiguous spelling stores nothing', async () => {
    const { id, answer } = await ask('application/json;q=0.1, TEXT/event-stream;charset=utf-8');
    await finishJob(gateway.ctx, id, bytes);
    expect((await readEvents(await answer)).at(-1)).toMatchObject({ id, status: 'completed' });
    for (const accept of ['text/event-stream;x="a;q=0;b"', '\u00a0text/event-stream'])
      await expectV1Refused(gateway, () => caller.call('POST', '/v1/process', { ...raw(pixel), headers: { accept } }), {
        status: 406,
        code: 'not_acceptable',
        param: 'Accept',
      });
  });

  it('ends with the failed job, also in the sandbox', async () => {
    const test = await openV1Caller(gateway, { owner: caller.owner, kind: 'test' });
    const { id, answer } = await ask('text/event-stream', { by: test });
    await answer;
    await fail(id);
    const last = (await readEvents(await answer)).at(-1);
    expect(last).toMatchObject({ id, status: 'failed', success: false, error: { code: 'corrupt_image' } });
  });

  it('counts as an event stream of the account until it closes, and is rejected before the image is received', async () => {
    const streams = [];
    for (let n = 0; n < 10; n++) streams.push(await ask('text/event-stream', { query: '&cache=false' }));
    await expectV1Refused(
      gateway,
      () => caller.call('POST', '/v1/process', { ...raw(pixel), headers: { accept: 'text/event-stream' } }),
      { status: 429, code: 'rate_limited' },
    );
    for (const { id, answer } of streams) {
      await answer;
      await caller.call('DELETE', `/v1/jobs/${id}`);
      await (await answer).text();
    }
    const { id, answer } = await ask('text/event-stream');
    await finishJob(gateway.ctx, id);
    expect((await answer).status).toBe(200);
  });
});
