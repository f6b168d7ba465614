import { createHash, randomUUID } from 'node:crypto';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { expireJobs } from '@uprez/domain/jobs/expire-jobs';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { describe, expect, it } from 'vitest';
import { outcome } from '../support/accounts/api-keys.ts';
import { claimJob, finishJob } from '../support/finish-job.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { openV1Caller } from '../support/v1-calls.ts';

const bytes = 'the bytes of a result, 36 characters';
const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
/** Storage that gives out public URLs. */
const presigned = 'https://storage.example/result';
const gateway = fileFixture(() =>
  startTestGateway({}, undefined, ({ storage }) => ({
    storage: Object.assign(Object.create(storage) as typeof storage, { presignGet: async () => presigned }),
  })),
);
const caller = fileFixture(() => openV1Caller(gateway));
const newJob = async () =>
  (await makeJob(gateway.ctx, { accountId: caller.owner.user.id, plan: currentPlans.api_basic })).job.id;
const newResult = async () => {
  const id = await newJob();
  await finishJob(gateway.ctx, id, bytes);
  return id;
};

describe('GET /v1/jobs/{id}/result', () => {
  it('streams the result, whatever the storage is, and only its headers for HEAD', async () => {
    const path = `/v1/jobs/${await newResult()}/result`;
    const answers = [await caller.call('GET', path), await caller.call('HEAD', path)];
    for (const { status, headers } of answers) {
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(bytes.length),
        'content-disposition': 'attachment; filename=image-2x.png',
        'accept-ranges': 'bytes',
        etag,
        'x-job-id': path.split('/')[3],
      });
    }
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual([bytes, '']);
  });

  it('returns a range, 304 for a known ETag, and 416 for a range outside of the file', async () => {
    const path = `/v1/jobs/${await newResult()}/result`;
    const get = (headers: Record<string, string>) => caller.call('GET', path, { headers });
    const part = await get({ range: 'bytes=4-8' });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 4-8/36', 'bytes']);
    expect((await get({ 'if-none-match': etag })).status).toBe(304);
    const past = await get({ range: 'bytes=36-' });
    expect([past.status, past.headers.get('content-range')]).toEqual([416, 'bytes */36']);
    expect(await past.json()).toMatchObject({ code: 'range_not_satisfiable', status: 416 });
    expect((await get({ range: 'bytes=0-3', 'if-range': '"another"' })).status).toBe(200);
  });

  it('returns 409 before the job ends, the error of a failed job, and 410 for an expired result', async () => {
    const id = await newJob();
    const get = async (of: string) => outcome(await caller.call('GET', `/v1/jobs/${of}/result`));
    expect(await get(id)).toBe('409 job_not_finished');
    const attempt = await claimJob(gateway.ctx, id);
    await failJob(gateway.ctx, { jobId: id, attempt, code: 'corrupt_image', retryBaseS: 0 });
    expect(await get(id)).toBe('422 corrupt_image');
    const old = await newResult();
    const past = new Date(Date.now() - 1_000);
    await gateway.ctx.db.updateTable('jobs').set({ expiresAt: past }).where('id', '=', old).execute();
    await expireJobs(gateway.ctx);
    expect(await get(old)).toBe('410 result_expired');
  });

  it('returns the 404 of a missing job for jobs of others and of the sandbox', async () => {
    const id = await newResult();
    const others = [await openV1Caller(gateway), await openV1Caller(gateway, { owner: caller.owner, kind: 'test' })];
    for (const what of ['result', 'receipt']) {
      for (const { call } of others)
        expect(outcome(await call('GET', `/v1/jobs/${id}/${what}`))).toBe('404 job_not_found');
      for (const missing of [randomUUID(), 'no-id'])
        expect(outcome(await caller.call('GET', `/v1/jobs/${missing}/${what}`))).toBe('404 job_not_found');
      expect(outcome(await fetch(`${gateway.url}/v1/jobs/${id}/${what}`))).toBe('401 bad_api_key');
    }
  });
});

describe('GET /v1/jobs/{id}/receipt', () => {
  it('returns the receipt in snake_case, and 409 before the job ends', async () => {
    const id = await newResult();
    const answer = await caller.call('GET', `/v1/jobs/${id}/receipt`);
    expect(answer.headers.get('x-job-id')).toBe(id);
    expect(await answer.json()).toMatchObject({ engine: 'standard', size_bytes: bytes.length, bit_depth: 8 });
    expect(outcome(await caller.call('GET', `/v1/jobs/${await newJob()}/receipt`))).toBe('409 job_not_finished');
  });
});
