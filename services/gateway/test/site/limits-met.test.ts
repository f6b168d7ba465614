import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { makeJob } from '@uprez/testing/make-job';
import { imageForm } from '@uprez/testing/sign-up';
import { backdateAttempt } from '@uprez/testing/use-seconds';
import { describe, expect, it } from 'vitest';
import { cookieOf } from '../support/batches.ts';
import { claimJob } from '../support/finish-job.ts';
import { makeHeaderOnlyPng } from '../support/http/header-only.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { startTestGateway, type TestGateway } from '../support/start-test-gateway.ts';

// Not shared: it reads the metrics of the gateway.
const gateway = fileFixture(() => startTestGateway());
const user = fileFixture(() => gateway.signUp());

/** Reads how often clients have met each limit. */
async function readLimits({ operatorUrl }: Pick<TestGateway, 'operatorUrl'>): Promise<Map<string, number>> {
  const text = await (await fetch(`${operatorUrl}/metrics`)).text();
  return new Map(
    [...text.matchAll(/^limits_met_total\{limit="(\w+)"\} (\d+)$/gm)].map(([, a = '', b]) => [a, Number(b)]),
  );
}

/** Returns the limits that an action meets, with their number. */
async function limitsOf(act: () => Promise<unknown>, on: TestGateway = gateway): Promise<Record<string, number>> {
  const before = await readLimits(on);
  await act();
  const after = await readLimits(on);
  const met = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(met.filter(([, count]) => count > 0));
}

const post = (path: string, body: string, type = 'application/json') =>
  fetch(`${gateway.url}${path}`, { method: 'POST', body, headers: { 'content-type': type } });
const upload = (file: Buffer, fields: Record<string, string> = {}) =>
  user.fetch(`${gateway.url}/api/images/process`, { method: 'POST', body: imageForm(file, fields) });

describe('limits_met_total', () => {
  it('counts headers and bodies that are too large', async () => {
    const long = ['GET / HTTP/1.1', `X-Long: ${'a'.repeat(limits.headerBytes)}`];
    expect(await limitsOf(() => sendRaw({ url: gateway.url, head: long }))).toEqual({ header_size: 1 });
    const json = JSON.stringify({ email: 'a'.repeat(limits.bodyBytes) });
    expect(await limitsOf(() => post('/api/login', json))).toMatchObject({ json_size: 1 });
  });

  it('counts an upload that is too large, and that its body is not read', async () => {
    const head = [
      'POST /api/images/process HTTP/1.1',
      'Content-Type: multipart/form-data; boundary=b0',
      `Cookie: ${await cookieOf(gateway, user)}`,
      `Content-Length: ${2 * limits.uploadBytes}`,
    ];
    expect(await limitsOf(() => sendRaw({ url: gateway.url, head }))).toEqual({ upload_size: 1, unread_body: 1 });
  });

  it('counts rejections by the limits of images, plans, and batches', async () => {
    const image = await makeImage({ width: 40, height: 30 });
    expect(await limitsOf(() => upload(makeHeaderOnlyPng(limits.inputSide + 1, 1)))).toEqual({ image_side: 1 });
    expect(await limitsOf(() => upload(image, { scaleFactor: '8' }))).toEqual({ plan_features: 1 });
    const items = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ clientId: String(at), name: 'a.png', relativePath: 'a.png' }));
    const createBatch = (count: number) =>
      user.client.createBatch({ body: { recipe: {}, items: items(count), acceptPartial: false } }).catch(() => {});
    expect(await limitsOf(() => createBatch(4))).toEqual({ batch_size: 1 });
    expect(await limitsOf(() => createBatch(limits.batchItems + 1))).toEqual({ batch_size: 1 });
  });

  it('counts a cancellation that is charged', async () => {
    const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free }, { seconds: 10 });
    await claimJob(gateway.ctx, job.id);
    await backdateAttempt(gateway.ctx.db, job.id, 60);
    expect(await limitsOf(() => user.client.deleteJob({ params: { id: job.id } }))).toEqual({ free_cancel: 1 });
  });

  it('counts guesses of a password, and emails that are not sent', async () => {
    const { email } = user.user;
    const guess = () => post('/api/login', JSON.stringify({ email, password: 'a wrong guess' }));
    const guesses = await limitsOf(async () => {
      for (let i = 0; i < 6; i++) await guess();
    });
    expect(guesses).toEqual({ sign_in_attempts: 1 });
    const forgot = () => post('/api/forgot-password', JSON.stringify({ email }));
    expect(await limitsOf(forgot)).toEqual({});
    expect(await limitsOf(forgot)).toEqual({ mails: 1 });
  });

  it('counts requests over a rate limit by their class', async () => {
    const strict = await startTestGateway({ RATE_LIMIT_SCALE: '0.001' });
    const read = () => fetch(`${strict.url}/api/plans`);
    expect(await limitsOf(read, strict)).toEqual({});
    expect(await limitsOf(read, strict)).toEqual({ requests_reads: 1 });
    await strict.close();
  });
});
