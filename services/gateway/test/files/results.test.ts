import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { expireJobs } from '@uprez/domain/jobs/expire-jobs';
import { deleteMarkedObjects } from '@uprez/domain/uploads/delete-objects';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkSecurityHeaders } from '../support/checked-fetch.ts';
import { finishJob } from '../support/finish-job.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const bytes = 'the bytes of a result, 36 characters';
const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
let id: string;
let link: string;
// Not shared: it moves the clock of the process, by which the gateway keeps values.
const gateway = fileFixture(() => startTestGateway());
const user = fileFixture(() => gateway.signUp());
beforeAll(async () => {
  ({ id, link } = await makeResult());
});
afterEach(() => {
  vi.useRealTimers();
});

async function makeResult(content = bytes) {
  const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
  await finishJob(gateway.ctx, job.id, content);
  const { data } = await user.client.getJob({ params: { id: job.id } });
  return { id: job.id, link: data.downloadUrl ?? '' };
}
const download = (headers: Record<string, string> = {}) =>
  user.fetch(`${gateway.url}/api/images/download/${id}`, { headers });
const codeOf = (response: Response) => ({ status: response.status, code: response.headers.get('x-error-code') });
const openLink = async (path: string) => {
  const response = await fetch(`${gateway.url}${path}`);
  checkSecurityHeaders(response.headers);
  return response;
};
/** Expires the job and runs the dispatcher's sweeps. */
async function expire(jobId: string): Promise<void> {
  const past = new Date(Date.now() - 1_000);
  await gateway.ctx.db.updateTable('jobs').set({ expiresAt: past }).where('id', '=', jobId).execute();
  await expireJobs(gateway.ctx);
  await deleteMarkedObjects(gateway.ctx, 3_600);
}

describe('a download', () => {
  it('returns the result under the name of the image to its owner', async () => {
    const response = await download();
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(bytes);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=image-2x.png');
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect(response.headers.get('etag')).toBe(etag);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('returns 401 without a session', async () => {
    expect((await fetch(`${gateway.url}/api/images/download/${id}`)).status).toBe(401);
    expect((await fetch(`${gateway.url}/api/images/thumbnail/${id}`)).status).toBe(401);
  });

  it('returns 409 before the job is finished', async () => {
    const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
    for (const kind of ['download', 'thumbnail']) {
      const response = await user.fetch(`${gateway.url}/api/images/${kind}/${job.id}`);
      expect(codeOf(response)).toEqual({ status: 409, code: 'job_not_finished' });
    }
  });

  it('returns only headers for HEAD', async () => {
    const response = await user.fetch(`${gateway.url}/api/images/download/${id}`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
  });

  it('returns 304 for a matching ETag', async () => {
    const response = await download({ 'if-none-match': etag });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe('');
    expect((await download({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('returns 503 when the stored bytes do not match their checksum', async () => {
    const broken = await makeResult();
    const { stream } = await gateway.ctx.storage.get(`thumbnails/${broken.id}/1`);
    await gateway.ctx.storage.put(`results/${broken.id}/1`, stream);
    const response = await user.fetch(`${gateway.url}/api/images/download/${broken.id}`);
    expect(codeOf(response)).toEqual({ status: 503, code: 'service_unavailable' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    for (const name of ['etag', 'content-disposition', 'accept-ranges']) expect(response.headers.get(name)).toBeNull();
  });

  it('aborts when the checksum fails after the headers were sent', async () => {
    const broken = await makeResult('x'.repeat(1_000_000));
    await gateway.ctx.storage.put(`results/${broken.id}/1`, Readable.from([Buffer.alloc(1_000_000, 'y')]));
    const response = await user.fetch(`${gateway.url}/api/images/download/${broken.id}`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });
});

describe('a thumbnail', () => {
  it('is displayed inline', async () => {
    const response = await user.fetch(`${gateway.url}/api/images/thumbnail/${id}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(response.headers.get('content-disposition')).toContain('inline');
    expect(await response.text()).toBe('a thumbnail');
  });
});

describe('a range', () => {
  it.each([
    ['bytes=0-3', 'the ', '0-3'],
    ['bytes=4-', bytes.slice(4), '4-35'],
    ['bytes=30-100', bytes.slice(30), '30-35'],
    ['bytes=-10', bytes.slice(-10), '26-35'],
    ['bytes=-100', bytes, '0-35'],
    ['bytes=35-35', bytes.slice(35), '35-35'],
  ])('returns only the bytes of %s', async (range, expected, content) => {
    const response = await download({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${content}/36`);
    expect(response.headers.get('content-length')).toBe(String(expected.length));
    expect(await response.text()).toBe(expected);
  });

  it.each(['bytes=36-', 'bytes=100-200', 'bytes=-0', 'bytes=99999999999999999999-'])(
    'returns 416 for %s',
    async (range) => {
      const response = await download({ range });
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe('bytes */36');
      expect(response.headers.get('x-error-code')).toBe('range_not_satisfiable');
      expect(await response.text()).toBe('The requested range is outside the file.');
    },
  );

  it.each(['bytes=5-2', 'bytes=', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes=0-1,4-5', 'bytes 0-1'])(
    'ignores %s and returns the whole result',
    async (range) => {
      const response = await download({ range });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(bytes);
    },
  );

  it('is ignored when If-Range does not match', async () => {
    const whole = await download({ range: 'bytes=0-3', 'if-range': '"what it was before"' });
    expect(whole.status).toBe(200);
    expect((await download({ range: 'bytes=0-3', 'if-range': etag })).status).toBe(206);
  });

  it('works with a signed link', async () => {
    const response = await fetch(`${gateway.url}${link}`, { headers: { range: 'bytes=4-8' } });
    expect(response.status).toBe(206);
    expect(await response.text()).toBe('bytes');
  });
});

describe('a signed link', () => {
  it('works without a session under any filename', async () => {
    for (const path of [link, link.replace('image-2x.png', 'anything')]) {
      const response = await openLink(path);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(bytes);
      expect(response.headers.get('content-disposition')).toBe('attachment; filename=image-2x.png');
    }
  });

  it('stays the same for up to 60 s, which keeps the browser cache valid', async () => {
    const { data } = await user.client.getJob({ params: { id } });
    const [first, second] = [new URL(link, gateway.url), new URL(data.downloadUrl ?? '', gateway.url)];
    expect(Number(second.searchParams.get('exp')) - Number(first.searchParams.get('exp'))).toBeLessThanOrEqual(60);
    expect(Number(first.searchParams.get('exp')) % 60).toBe(0);
  });

  it('returns the same 404 for a forged link and a missing job', async () => {
    const { link: foreign } = await makeResult();
    const sig = (path: string) => new URL(path, gateway.url).searchParams.get('sig') ?? '';
    const exp = new URL(link, gateway.url).searchParams.get('exp') ?? '';
    const missing = await openLink(link.replace(id, randomUUID()));
    const answer = { ...codeOf(missing), body: await missing.text() };
    expect(answer).toMatchObject({ status: 404, code: 'job_not_found' });
    const flipped = sig(link).replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    const forged = [
      link.replace(sig(link), flipped),
      link.replace(sig(link), sig(foreign)),
      link.replace(sig(link), ''),
      link.replace(sig(link), `${sig(link)}x`),
      link.replace(`exp=${exp}`, `exp=${Number(exp) + 60}`),
      link.replace(`exp=${exp}`, 'exp=never'),
      link.replace(`exp=${exp}`, 'exp='),
      link.replace(id, 'no-id'),
      link.replace(id, '-'.repeat(36)),
    ];
    for (const path of forged) {
      const response = await openLink(path);
      expect({ ...codeOf(response), body: await response.text() }, path).toEqual(answer);
    }
  });

  it('returns the same 404 as a missing job while its account is suspended', async () => {
    const suspend = (suspendedAt: Date | null) =>
      gateway.ctx.db.updateTable('users').set({ suspendedAt }).where('id', '=', user.user.id).execute();
    const missing = await openLink(link.replace(id, randomUUID()));
    const answer = { ...codeOf(missing), body: await missing.text() };
    await suspend(new Date());
    const response = await openLink(link);
    expect({ ...codeOf(response), body: await response.text() }).toEqual(answer);
    await suspend(null);
    expect((await openLink(link)).status).toBe(200);
  });

  it('returns 422 without a signature', async () => {
    const response = await openLink(link.replace(/&sig=.*/, ''));
    expect(codeOf(response)).toEqual({ status: 422, code: 'invalid_parameter' });
  });

  it('expires after 15 minutes, and reading the job creates a new one', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
    expect(codeOf(await openLink(link))).toEqual({ status: 410, code: 'link_expired' });
    const { data } = await user.client.getJob({ params: { id } });
    expect((await openLink(data.downloadUrl ?? '')).status).toBe(200);
  });
});

describe('a shared link', () => {
  const share = async (jobId: string, hours: 1 | 24 | 168) => {
    const { data } = await user.client.shareResult({ params: { id: jobId }, body: { hours } });
    const { pathname, searchParams } = new URL(data.url, gateway.url);
    expect(pathname).toBe('/shared');
    const { id: shared, ...link } = Object.fromEntries(searchParams);
    return { ...data, path: `/api/files/${shared}/image?${new URLSearchParams(link)}` };
  };
  const laterBy = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });

  it('works without a session for the chosen time', async () => {
    const { path, expiresAt } = await share(id, 1);
    expect(new Date(expiresAt).getTime() - Date.now()).toBeLessThanOrEqual(3_600_000);
    laterBy(59);
    expect(await (await openLink(path)).text()).toBe(bytes);
    laterBy(2);
    expect(codeOf(await openLink(path))).toEqual({ status: 410, code: 'link_expired' });
  });

  it('expires with its result at the latest', async () => {
    const { data } = await user.client.getJob({ params: { id } });
    expect((await share(id, 168)).expiresAt).toBe(data.expiresAt);
  });

  it('returns 410 as soon as its owner deletes the result, and 404 while the account is suspended', async () => {
    const gone = await makeResult();
    const { path } = await share(gone.id, 24);
    const suspend = (suspendedAt: Date | null) =>
      gateway.ctx.db.updateTable('users').set({ suspendedAt }).where('id', '=', user.user.id).execute();
    await suspend(new Date());
    expect(codeOf(await openLink(path))).toEqual({ status: 404, code: 'job_not_found' });
    await suspend(null);
    await user.client.deleteJob({ params: { id: gone.id } });
    expect(codeOf(await openLink(path))).toEqual({ status: 410, code: 'result_expired' });
  });

  it('returns 422 for another life, and 409 before the job is finished', async () => {
    const body = { hours: 2 as number as 1 };
    await expect(user.client.shareResult({ params: { id }, body })).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
    const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
    const early = user.client.shareResult({ params: { id: job.id }, body: { hours: 1 } });
    await expect(early).rejects.toMatchObject({ code: 'job_not_finished' });
  });
});

describe('a result that has expired', () => {
  it('returns 410 to its owner and for its signed links, and 404 to others', async () => {
    const gone = await makeResult();
    await expire(gone.id);
    const other = await gateway.signUp();
    for (const kind of ['download', 'thumbnail']) {
      const path = `${gateway.url}/api/images/${kind}/${gone.id}`;
      expect(codeOf(await user.fetch(path))).toEqual({ status: 410, code: 'result_expired' });
      expect(codeOf(await other.fetch(path))).toEqual({ status: 404, code: 'job_not_found' });
    }
    expect(codeOf(await openLink(gone.link))).toEqual({ status: 410, code: 'result_expired' });
    const forged = gone.link.replace(/sig=./, (text) => (text === 'sig=A' ? 'sig=B' : 'sig=A'));
    expect(codeOf(await openLink(forged))).toEqual({ status: 404, code: 'job_not_found' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
    expect(codeOf(await openLink(gone.link))).toEqual({ status: 410, code: 'result_expired' });
    vi.useRealTimers();
    const { data } = await user.client.getJob({ params: { id: gone.id } });
    expect(data).toMatchObject({ status: 'expired', downloadUrl: null, thumbnailUrl: null });
  });

  it('returns 410 for its links as soon as its owner deletes it', async () => {
    const gone = await makeResult();
    await user.client.deleteJob({ params: { id: gone.id } });
    expect(codeOf(await openLink(gone.link))).toEqual({ status: 410, code: 'result_expired' });
    expect(codeOf(await user.fetch(`${gateway.url}/api/images/download/${gone.id}`)).status).toBe(410);
  });
});
