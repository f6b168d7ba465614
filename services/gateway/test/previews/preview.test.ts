import { limits } from '@uprez/contracts/policy/limits';
import { rateLimits } from '@uprez/contracts/policy/rate-limits';
import { deletePreviewRows } from '@uprez/db/queries/jobs/queued-jobs';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { expireJobs } from '@uprez/domain/jobs/expire-jobs';
import { deleteMarkedObjects } from '@uprez/domain/uploads/delete-objects';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { claimJob, finishJob } from '../support/finish-job.ts';
import { openEvents } from '../support/open-events.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { countTraces } from '../support/traces.ts';

// Not shared: it checks the ledger of all accounts.
const gateway = fileFixture(() => startTestGateway());
const patch = await makeImage({ width: 64, height: 48 });
afterEach(async () => {
  await gateway.ctx.db.updateTable('objects').set({ state: 'deleting' }).execute();
  await deleteMarkedObjects(gateway.ctx, 0);
  await gateway.ctx.db.deleteFrom('jobs').where('kind', '=', 'preview').execute();
});

const visitor = makeCheckedFetch(fetch);
const fields = { engine: 'standard', scaleFactor: '2', format: 'webp' };
type Sent = { image?: Buffer; fields?: Record<string, string>; fetcher?: typeof fetch; signal?: AbortSignal };
const send = ({ image = patch, fields: given = fields, fetcher = visitor, signal }: Sent = {}) =>
  fetcher(`${gateway.url}/api/preview`, {
    method: 'POST',
    body: imageForm(image, given),
    ...(signal && { signal }),
  });
const findQueued = () =>
  waitUntil(
    () =>
      gateway.ctx.db
        .selectFrom('jobs')
        .selectAll()
        .where('kind', '=', 'preview')
        .where('status', '=', 'queued')
        .executeTakeFirst(),
    { what: 'a queued preview' },
  );
const countLedger = async () => (await countTraces(gateway.ctx)).ledger;

describe('a preview', () => {
  it.each(['a visitor', 'a user'])('is returned to %s, and not charged, listed, or sent as an event', async (who) => {
    const user = await gateway.signUp();
    const events = await openEvents({ url: gateway.url, fetch: user.fetch });
    const before = await countLedger();
    const answer = send({ fetcher: who === 'a user' ? user.fetch : visitor });
    const job = await findQueued();
    expect(job.accountId).toBe(who === 'a user' ? user.user.id : null);
    await finishJob(gateway.ctx, job.id, 'the pixels of a preview');
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toBe('the pixels of a preview');
    expect(await countLedger()).toBe(before);
    expect((await user.client.listJobs({})).data).toEqual([]);
    await expect(user.client.getJob({ params: { id: job.id } })).rejects.toMatchObject({ code: 'job_not_found' });
    await expect(user.client.deleteJob({ params: { id: job.id } })).rejects.toMatchObject({ code: 'job_not_found' });
    expect((await user.client.user()).data.imagesProcessedThisMonth).toBe(0);
    // A later event arrives, so an event of the preview would have arrived before.
    const { data } = await user.client.processImage({
      body: imageForm(patch, { engine: 'standard' }),
      headers: { prefer: 'respond-async' },
    });
    await events.find(({ job: told }) => told.id === data.id);
    expect(events.events.map(({ job: told }) => told.id)).not.toContain(job.id);
    events.close();
  });

  it('expires after 5 minutes and deletes its source immediately, with a consistent ledger', async () => {
    const { db } = gateway.ctx;
    const answer = send();
    const { id } = await findQueued();
    expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
    await finishJob(gateway.ctx, id, 'pixels');
    await (await answer).arrayBuffer();
    const files = () => db.selectFrom('objects').select(['kind', 'state']).where('jobId', '=', id).execute();
    expect(await files()).toContainEqual({ kind: 'source', state: 'deleting' });
    const job = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(Number(job.expiresAt) - Number(job.finishedAt)).toBe(limits.previewMinutes * 60_000);
    expect(job.recipe.retention).toBe(limits.previewMinutes / 60);
    await deletePreviewRows(gateway.ctx.db);
    await db
      .updateTable('jobs')
      .set({ expiresAt: new Date(0) })
      .where('id', '=', id)
      .execute();
    await expireJobs(gateway.ctx);
    await deleteMarkedObjects(gateway.ctx, 600);
    expect(await files()).toEqual([]);
    expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
    expect(await deletePreviewRows(gateway.ctx.db)).toBe(1);
  });

  it('returns the error of its job when it fails, and deletes its source', async () => {
    const answer = send();
    const { id } = await findQueued();
    const attempt = await claimJob(gateway.ctx, id);
    await failJob(gateway.ctx, { jobId: id, attempt, code: 'corrupt_image', retryBaseS: 1 });
    expect((await answer).headers.get('x-error-code')).toBe('corrupt_image');
    await deleteMarkedObjects(gateway.ctx, 600);
    const left = await gateway.ctx.db.selectFrom('objects').select('id').where('jobId', '=', id).execute();
    expect(left).toEqual([]);
    expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
  });

  it('is canceled when the client disconnects', async () => {
    const gone = new AbortController();
    const answer = send({ signal: gone.signal }).catch(() => undefined);
    const { id } = await findQueued();
    gone.abort();
    await answer;
    const status = async () =>
      (await gateway.ctx.db.selectFrom('jobs').select('status').where('id', '=', id).executeTakeFirst())?.status;
    await waitUntil(async () => (await status()) === 'cancelled');
    expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
  });
});

describe('an invalid preview returns an error and stores nothing', () => {
  it.each<[string, () => Promise<Sent>, string]>([
    [
      'over the size of a patch',
      async () => ({ image: await makeImage({ width: 513, height: 8 }) }),
      'preview_too_large',
    ],
    ['over 2 MB', async () => ({ image: Buffer.alloc(limits.previewBytes + 1) }), 'file_too_large'],
    ['that is no image', async () => ({ image: Buffer.from('no image') }), 'unsupported_format'],
    ['that is empty', async () => ({ image: Buffer.alloc(0) }), 'empty_file'],
    [
      'over the scale limit of the plan',
      async () => ({ fields: { engine: 'photo-fast', scaleFactor: '8' } }),
      'plan_feature',
    ],
    [
      'over the time limit',
      async () => ({ image: await makeImage({ width: 512, height: 512 }), fields: { engine: 'photo' } }),
      'job_too_long',
    ],
    ['with unknown fields', async () => ({ fields: { color: 'red' } }), 'invalid_parameter'],
    ['from a URL', async () => ({ fields: { imageUrl: 'https://images.example/' } }), 'invalid_parameter'],
  ])('%s', async (_what, make, code) => {
    const before = await countTraces(gateway.ctx);
    expect((await send(await make())).headers.get('x-error-code')).toBe(code);
    expect(await countTraces(gateway.ctx)).toEqual(before);
  });
});

describe('the limit of 10 previews per hour', () => {
  it('applies to the IP address, with or without a session, even when rate limits are disabled', async () => {
    const strict = await startTestGateway({ RATE_LIMIT_SCALE: '1' });
    const value = JSON.stringify({ rateLimitEnabled: false });
    await strict.ctx.db.insertInto('settings').values({ name: 'security', value }).execute();
    const user = await strict.signUp();
    const codes = [];
    for (let call = 0; call < rateLimits.preview.calls + 2; call++) {
      const response = await (call % 2 ? user.fetch : visitor)(`${strict.url}/api/preview`, {
        method: 'POST',
        body: imageForm(Buffer.from('no image')),
      });
      codes.push(response.headers.get('x-error-code'));
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3_000);
    }
    const served = Array.from({ length: 10 }, () => 'unsupported_format');
    expect(codes).toEqual([...served, 'rate_limited', 'rate_limited']);
    await strict.close();
  });

  it('returns service_unavailable while Redis is unavailable', async () => {
    const { databaseUrl, dataDir } = gateway.ctx;
    const lost = await startTestGateway({
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      REDIS_URL: 'redis://127.0.0.1:9',
    });
    const response = await visitor(`${lost.url}/api/preview`, { method: 'POST', body: imageForm(patch) });
    expect(response.headers.get('x-error-code')).toBe('service_unavailable');
    await lost.close();
  });
});
