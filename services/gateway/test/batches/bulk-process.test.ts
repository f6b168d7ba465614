import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { type Problem, problemSchema } from '@uprez/contracts/errors/problem';
import { type BulkResults, bulkResultsSchema, bulkStartedSchema } from '@uprez/contracts/schemas/jobs/batch';
import { makeImage } from '@uprez/testing/make-image';
import type { SignedIn } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { describe, expect, it } from 'vitest';
import { cookieOf, leaveUnits, openBatchFixtures, signUpOn, unitsLeft } from '../support/batches.ts';
import { finishJob } from '../support/finish-job.ts';
import { makeMultipart, type Part, partHeader } from '../support/http/multipart.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { countTraces } from '../support/traces.ts';

const { gateway, user } = openBatchFixtures();
const image = await makeImage({ width: 40, height: 30 });

const file = (filename: string, data: string | Buffer = image): Part => ({ name: 'images', filename, data });
const field = (name: string, data: string): Part => ({ name, data });
const engine = field('engine', 'standard');
const send = (parts: Part[], headers: Record<string, string> = { prefer: 'respond-async' }, by = user) => {
  const { body, contentType } = makeMultipart(parts);
  return by.fetch(`${gateway.url}/api/images/bulk-process`, {
    method: 'POST',
    headers: { accept: 'application/problem+json, application/json', 'content-type': contentType, ...headers },
    body,
  });
};
const started = async (answer: Response) => {
  expect(answer.status, await answer.clone().text()).toBe(202);
  return bulkStartedSchema.parse(await answer.json());
};
const done = async (answer: Response): Promise<BulkResults> => {
  expect(answer.status, await answer.clone().text()).toBe(200);
  return bulkResultsSchema.parse(await answer.json());
};
/** Expects the call to return this error and to store nothing. */
async function refuse(call: () => Promise<Response>, code: ErrorCode): Promise<Problem> {
  const before = await countTraces(gateway.ctx);
  const problem = problemSchema.parse(await (await call()).json());
  expect(problem.code).toBe(code);
  expect(await countTraces(gateway.ctx)).toEqual(before);
  return problem;
}
const jobsOf = ({ user: { id } }: SignedIn) =>
  gateway.ctx.db
    .selectFrom('jobs')
    .select(['id', 'filename', 'status'])
    .where('accountId', '=', id)
    .orderBy('id')
    .execute();

describe('several images in one form', () => {
  it('create a batch and return 202, with fields before or after them', async () => {
    const { batchId, statusUrl } = await started(
      await send([engine, file('a.jpg'), file('b.jpg'), field('format', 'webp')]),
    );
    expect(statusUrl).toBe(`/api/batches/${batchId}`);
    const { data } = await user.client.getBatch({ params: { id: batchId } });
    expect(data.recipe).toMatchObject({ engine: 'standard', format: 'webp', scaleFactor: 2 });
    expect(data.items.map(({ name, status }) => [name, status])).toEqual([
      ['a.jpg', 'queued'],
      ['b.jpg', 'queued'],
    ]);
    expect(await unitsLeft(gateway, user, 'standard')).toBe(98);
  });

  it('return the results when all jobs are finished, and an invalid one fails alone', async () => {
    const parts = [file('a.jpg'), file('bad.jpg', 'no image'), file('empty.jpg', ''), engine];
    const answering = send(parts, { prefer: 'wait=20' });
    await waitUntil(async () => (await jobsOf(user)).length === 1);
    const [job] = await jobsOf(user);
    await finishJob(gateway.ctx, job?.id ?? '');
    const { results } = await done(await answering);
    expect(results.map(({ filename, status }) => [filename, status])).toEqual([
      ['a.jpg', 'completed'],
      ['bad.jpg', 'failed'],
      ['empty.jpg', 'failed'],
    ]);
    expect(results[0]).toMatchObject({ id: job?.id, error: null });
    expect(await (await user.fetch(gateway.url + results[0]?.downloadUrl)).text()).toBe('the bytes of a result');
    expect(results[1]).toMatchObject({ error: expect.stringContaining('image'), downloadUrl: null });
    expect(await unitsLeft(gateway, user, 'standard')).toBe(99);
  });

  it('return immediately when all of them are invalid', async () => {
    const { results } = await done(await send([file('a.jpg', 'x'), file('b.jpg', 'y')], { prefer: 'wait=20' }));
    expect(results.map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(await unitsLeft(gateway, user, 'standard')).toBe(0);
  });

  it('with the same filename become separate jobs', async () => {
    const { batchId } = await started(await send([file('a.jpg'), file('a.jpg'), engine]));
    const { data } = await user.client.getBatch({ params: { id: batchId } });
    expect(new Set(data.items.map(({ jobId }) => jobId)).size).toBe(2);
  });

  it('include one larger than 50 MB, which fails alone', async () => {
    const large = Buffer.concat([image, Buffer.alloc(50 * 1024 * 1024)]);
    const { batchId } = await started(await send([file('large.png', large), file('a.png'), engine]));
    const { data } = await user.client.getBatch({ params: { id: batchId } });
    expect(data.items.map(({ status, error }) => [status, error?.code])).toEqual([
      ['failed', 'file_too_large'],
      ['queued', undefined],
    ]);
  });
});

describe('an invalid form returns an error and creates nothing', () => {
  it.each<[string, () => Part[], ErrorCode]>([
    ['without an image', () => [engine], 'no_image'],
    [
      'with the image in another field',
      () => [file('a.png'), { ...file('b.png'), name: 'image' }],
      'invalid_parameter',
    ],
    ['with an unknown field', () => [file('a.png'), field('sharpen', '1')], 'invalid_parameter'],
    ['with two sizes', () => [file('a.png'), field('scaleFactor', '2'), field('width', '9')], 'conflicting_params'],
    ['with an invalid boolean', () => [file('a.png'), field('acceptPartial', 'maybe')], 'invalid_parameter'],
    [
      'with 30 fields',
      () => [file('a.png'), ...Array.from({ length: 30 }, (_, i) => field(`f${i}`, '1'))],
      'malformed_multipart',
    ],
  ])('%s', async (_what, parts, code) => {
    await refuse(() => send(parts()), code);
  });

  it('with more images than the plan allows', async () => {
    const problem = await refuse(() => send([1, 2, 3, 4].map((n) => file(`${n}.png`))), 'plan_feature');
    expect(problem.meta).toEqual({ limit: 3, value: 4, unlockedBy: 'pro' });
    const pro = await signUpOn(gateway, 'pro');
    const many = Array.from({ length: 101 }, (_, n) => file(`${n}.png`, 'x'));
    await refuse(() => send(many, {}, pro), 'invalid_parameter');
  });

  it('with too many images, before the last ones arrive', async () => {
    const before = await countTraces(gateway.ctx);
    const cookie = await cookieOf(gateway, user);
    const boundary = 'b0';
    const part = (n: number) =>
      Buffer.concat([Buffer.from(partHeader(file(`${n}.png`), boundary)), image, Buffer.from('\r\n')]);
    async function* body() {
      for (const n of [1, 2, 3, 4]) yield part(n);
      // The other parts are never sent.
      await new Promise(() => {});
    }
    const reply = await sendRaw({
      url: `${gateway.url}/api/images/bulk-process`,
      head: [
        'POST /api/images/bulk-process HTTP/1.1',
        `Cookie: ${cookie}`,
        `Content-Type: multipart/form-data; boundary=${boundary}`,
        'Content-Length: 100000000',
      ],
      body: body(),
    });
    expect([reply.status, reply.headers.get('x-error-code')]).toEqual([403, 'plan_feature']);
    expect(await countTraces(gateway.ctx)).toEqual(before);
  });

  it('with a Content-Length over the total limit', async () => {
    const cookie = await cookieOf(gateway, user);
    const reply = await sendRaw({
      url: `${gateway.url}/api/images/bulk-process`,
      head: [
        'POST /api/images/bulk-process HTTP/1.1',
        `Cookie: ${cookie}`,
        'Content-Type: multipart/form-data; boundary=b0',
        `Content-Length: ${3 * 50 * 1024 * 1024 + 1_000_000}`,
      ],
    });
    expect([reply.status, reply.headers.get('x-error-code')]).toEqual([413, 'file_too_large']);
  });
});

describe('images without enough units', () => {
  it('return quota_exceeded, or a partial batch with acceptPartial', async () => {
    await leaveUnits(gateway, user, ['standard', 2]);
    const parts = [file('a.png'), file('b.png'), file('bad.png', 'x'), engine];
    const three = [file('a.png'), file('b.png'), file('c.png'), engine];
    const problem = await refuse(() => send(three), 'quota_exceeded');
    expect(problem.meta).toMatchObject({ needs: 3, have: 2 });
    await started(await send(parts));
    await leaveUnits(gateway, user, ['standard', 1]);
    const { batchId } = await started(await send([...three, field('acceptPartial', 'true')]));
    const { data } = await user.client.getBatch({ params: { id: batchId } });
    expect(data.counts).toMatchObject({ queued: 1, failed: 2 });
    expect(data.items.at(-1)?.error?.code).toBe('quota_exceeded');
  });
});

describe('a form with an idempotency key', () => {
  const sendWith = (key: string, parts: Part[], by = user) =>
    send(parts, { prefer: 'respond-async', 'idempotency-key': key }, by);

  it('creates one batch for concurrent requests, and returns an error for other images or fields', async () => {
    const key = randomUUID();
    const parts = [file('a.png'), file('b.png'), engine];
    const answers = await Promise.all(Array.from({ length: 5 }, () => sendWith(key, parts)));
    const ids = new Set((await Promise.all(answers.map(started))).map(({ batchId }) => batchId));
    expect(ids.size).toBe(1);
    expect(await jobsOf(user)).toHaveLength(2);
    expect(await unitsLeft(gateway, user, 'standard')).toBe(98);
    await refuse(() => sendWith(key, [file('a.png'), engine]), 'idempotency_mismatch');
    await refuse(() => sendWith(key, [...parts, field('format', 'webp')]), 'idempotency_mismatch');
    const other = await gateway.signUp();
    const theirs = await started(await sendWith(key, parts, other));
    expect(ids.has(theirs.batchId)).toBe(false);
  });

  it('creates the missing job when it is sent again after a gateway stopped', async () => {
    const key = randomUUID();
    const parts = [file('a.png'), file('b.png'), engine];
    const { batchId } = await started(await sendWith(key, parts));
    // The state after a gateway stopped before it created the second job.
    const { db } = gateway.ctx;
    const item = await db
      .selectFrom('batchItems')
      .selectAll()
      .where('batchId', '=', batchId)
      .where('position', '=', 1)
      .executeTakeFirstOrThrow();
    await db.updateTable('objects').set({ state: 'deleting' }).where('jobId', '=', item.jobId).execute();
    await db.updateTable('jobs').set({ sourceId: null }).where('id', '=', item.jobId).execute();
    await db.deleteFrom('objects').where('jobId', '=', item.jobId).execute();
    await db.updateTable('batchItems').set({ status: 'waiting', jobId: null }).where('id', '=', item.id).execute();
    await db.deleteFrom('jobs').where('id', '=', item.id).execute();
    expect((await started(await sendWith(key, parts))).batchId).toBe(batchId);
    expect((await user.client.getBatch({ params: { id: batchId } })).data.counts).toMatchObject({ queued: 2 });
    for await (const { key: stored } of gateway.ctx.storage.list('uploads/')) {
      const known = await db.selectFrom('objects').select('id').where('key', '=', stored).executeTakeFirst();
      if (!known) await gateway.ctx.storage.deleteMany([stored]);
    }
  });
});
