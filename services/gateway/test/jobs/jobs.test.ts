import { randomUUID } from 'node:crypto';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { makeReceipt } from '@uprez/testing/deliver-job';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { describe, expect, it } from 'vitest';
import { claimJob, finishJob } from '../support/finish-job.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
const other = fileFixture(() => gateway.signUp());
const user = testFixture(() => gateway.signUp());

const makeJobs = async (count: number, owner = user) => {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const { job } = await makeJob(gateway.ctx, { accountId: owner.user.id, plan: currentPlans.free });
    ids.unshift(job.id);
  }
  return ids;
};
const makeOne = async (owner = user) => (await makeJobs(1, owner))[0] ?? '';
const fail = async (id: string) =>
  failJob(gateway.ctx, { jobId: id, attempt: await claimJob(gateway.ctx, id), code: 'corrupt_image', retryBaseS: 0 });
const kept = (id: string) =>
  gateway.ctx.db.selectFrom('objects').select(['kind', 'state']).where('jobId', '=', id).execute();
const balance = async (id: string) => {
  const rows = await gateway.ctx.db.selectFrom('ledger').select('units').where('jobId', '=', id).execute();
  return rows.reduce((sum, { units }) => sum + units, 0);
};

describe('the list of jobs', () => {
  it('returns the newest jobs first with their total number', async () => {
    const ids = await makeJobs(3);
    const { data, headers } = await user.client.listJobs();
    expect(data.map(({ id }) => id)).toEqual(ids);
    expect(headers.get('x-total-count')).toBe('3');
    expect(headers.get('link')).toBeNull();
  });

  it('is empty for an account without jobs', async () => {
    await makeOne(other);
    const { data, headers } = await user.client.listJobs();
    expect(data).toEqual([]);
    expect(headers.get('x-total-count')).toBe('0');
  });

  it('links all pages, with each job once', async () => {
    const ids = await makeJobs(7);
    const seen: string[] = [];
    let path: string | undefined = '/api/jobs?limit=3';
    let pages = 0;
    while (path) {
      const response: Response = await user.fetch(`${gateway.url}${path}`);
      expect(response.headers.get('x-total-count')).toBe('7');
      seen.push(...((await response.json()) as { id: string }[]).map(({ id }) => id));
      path = /^<(\/api\/jobs\?[^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      pages += 1;
    }
    expect(seen).toEqual(ids);
    expect(pages).toBe(3);
  });

  it('filters by status and keeps the filter in its links', async () => {
    const [failed = '', , alsoFailed = ''] = await makeJobs(3);
    await fail(alsoFailed);
    await fail(failed);
    const { data, headers } = await user.client.listJobs({ query: { status: 'failed', limit: 1 } });
    expect(data.map(({ id, status }) => ({ id, status }))).toEqual([{ id: failed, status: 'failed' }]);
    expect(headers.get('x-total-count')).toBe('2');
    expect(headers.get('link')).toContain('status=failed');
  });

  it.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'all'],
    ['cursor', 'nonsense'],
    ['cursor', '-'.repeat(36)],
    ['cursor', "' or 1=1 --"],
    ['status', 'done'],
  ])('returns 422 for %s=%s', async (param, value) => {
    const call = user.fetch(`${gateway.url}/api/jobs?${new URLSearchParams({ [param]: value })}`, {
      headers: { accept: 'application/problem+json' },
    });
    expect(await (await call).json()).toMatchObject({ code: 'invalid_parameter', status: 422, param });
  });

  it('returns 401 without a session', async () => {
    expect((await fetch(`${gateway.url}/api/jobs`)).status).toBe(401);
  });
});

describe('a job', () => {
  it('is returned in each status from queued to completed', async () => {
    const id = await makeOne();
    const read = async () => (await user.client.getJob({ params: { id } })).data;
    expect(await read()).toMatchObject({ status: 'queued', downloadUrl: null, processedSize: null, fidelity: null });
    await finishJob(gateway.ctx, id, 'twelve bytes');
    expect(await read()).toMatchObject({
      status: 'completed',
      progress: 100,
      processedSize: { width: 16, height: 16, fileSize: 12 },
      processingTimeMs: expect.any(Number),
      fidelity: 99.2,
      downloadUrl: expect.stringMatching(new RegExp(`^/api/files/${id}/image-2x\\.png\\?exp=\\d+&sig=`)),
      thumbnailUrl: `/api/images/thumbnail/${id}`,
      expiresAt: expect.any(String),
    });
  });

  it('has no fidelity when its receipt is from an older version', async () => {
    const id = await makeOne();
    await finishJob(gateway.ctx, id);
    const { fidelity: _, ...older } = makeReceipt();
    const change = gateway.ctx.db.updateTable('jobs').set({ receipt: JSON.stringify(older) });
    await change.where('id', '=', id).execute();
    expect((await user.client.getJob({ params: { id } })).data).toMatchObject({ status: 'completed', fidelity: null });
    const { data } = await user.client.jobReceipt({ params: { id } });
    expect(data).not.toHaveProperty('fidelity');
    expect(data.sha256).toMatch(/^0+$/);
  });

  it('has an error when it failed', async () => {
    const id = await makeOne();
    await fail(id);
    const { data } = await user.client.getJob({ params: { id } });
    expect(data).toMatchObject({ status: 'failed', error: { code: 'corrupt_image' } });
    expect(data.error?.message).toContain("You weren't charged.");
    expect(await balance(id)).toBe(0);
  });

  it('returns 401 without a session and stays unchanged', async () => {
    const id = await makeOne();
    for (const method of ['GET', 'DELETE'])
      expect((await fetch(`${gateway.url}/api/jobs/${id}`, { method })).status).toBe(401);
    expect((await user.client.getJob({ params: { id } })).data.status).toBe('queued');
  });
});

describe('a missing job', () => {
  const call = async (method: string, path: string) => {
    const response = await user.fetch(`${gateway.url}${path}`, {
      method,
      headers: { accept: 'application/problem+json' },
    });
    return { status: response.status, code: response.headers.get('x-error-code'), body: await response.text() };
  };

  it.each([
    ['GET', '/api/jobs/'],
    ['DELETE', '/api/jobs/'],
    ['GET', '/api/images/download/'],
    ['GET', '/api/images/thumbnail/'],
  ])("%s %s returns the same 404 for a missing job, another account's, and an invalid ID", async (method, path) => {
    const foreign = await makeOne(other);
    await finishJob(gateway.ctx, foreign);
    const answers = await Promise.all(
      [randomUUID(), foreign, 'no-id', '-'.repeat(36), '%00', "'--"].map((id) => call(method, `${path}${id}`)),
    );
    expect(answers[0]).toMatchObject({ status: 404, code: 'job_not_found' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect((await other.client.getJob({ params: { id: foreign } })).data.status).toBe('completed');
  });
});

describe('deleting a job', () => {
  it('cancels a queued job, releases its unit, and marks its image for deletion', async () => {
    const id = await makeOne();
    const { data } = await user.client.deleteJob({ params: { id } });
    expect(data).toMatchObject({ id, status: 'cancelled' });
    expect(await balance(id)).toBe(0);
    expect(await kept(id)).toEqual([{ kind: 'source', state: 'deleting' }]);
  });

  it('cancels a running job and refunds its unit', async () => {
    const id = await makeOne();
    await claimJob(gateway.ctx, id);
    expect((await user.client.deleteJob({ params: { id } })).data).toMatchObject({ status: 'cancelled' });
    expect(await balance(id)).toBe(0);
  });

  it('marks the files of a finished job for deletion and returns a receipt', async () => {
    const id = await makeOne();
    await finishJob(gateway.ctx, id);
    const { data } = await user.client.deleteJob({ params: { id } });
    expect(data).toMatchObject({ id, deletedAt: expect.any(String) });
    const kinds = 'objects' in data ? data.objects.map(({ kind }) => kind).sort() : [];
    expect(kinds).toEqual(['result', 'thumbnail']);
    expect((await user.client.getJob({ params: { id } })).data).toMatchObject({ status: 'expired', downloadUrl: null });
    for (const { state } of await kept(id)) expect(state).toBe('deleting');
  });

  it('returns a receipt without files when repeated', async () => {
    const id = await makeOne();
    await finishJob(gateway.ctx, id);
    const first = await user.client.deleteJob({ params: { id } });
    const second = await user.client.deleteJob({ params: { id } });
    expect(second.data).toEqual({ ...first.data, objects: [] });
  });

  it('accepts an empty body without a content type', async () => {
    const id = await makeOne();
    const response = await user.fetch(`${gateway.url}/api/jobs/${id}`, { method: 'DELETE', headers: {} });
    expect(response.status).toBe(200);
  });
});
