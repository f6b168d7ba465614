import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { V1Job } from '@uprez/contracts/v1/schemas';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { testFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { backdateAttempt } from '@uprez/testing/use-seconds';
import { expect, it } from 'vitest';
import { claimJob } from '../support/finish-job.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { openV1Caller } from '../support/v1-calls.ts';

const gateway = shareTestGateway();
const caller = testFixture(() => openV1Caller(gateway));

/** Starts a job that has been processing for so many seconds. Canceling it is free for 20 s. */
async function startJob(used: number): Promise<string> {
  const { user } = caller.owner;
  const { job } = await makeJob(gateway.ctx, { accountId: user.id, plan: currentPlans.api_basic }, { seconds: 200 });
  await claimJob(gateway.ctx, job.id);
  await backdateAttempt(gateway.ctx.db, job.id, used);
  return job.id;
}
const call = async (method: 'GET' | 'DELETE', id: string) =>
  (await (await caller.call(method, `/v1/jobs/${id}`)).json()) as V1Job;

it('tells until when canceling is free, then charges the credit', async () => {
  const id = await startJob(60);
  const job = await call('GET', id);
  expect(job.credits).toBe(1);
  expect(Date.parse(job.free_cancel_until ?? '')).toBeLessThan(Date.now() - 35_000);
  const cancelled = await call('DELETE', id);
  expect(cancelled).toMatchObject({ status: 'cancelled', credits: 1, error: { code: 'cancelled' } });
  expect(cancelled.error?.message).toMatch(/^The job was canceled after 6\d seconds of processing\. You were charged/);
  expect(cancelled.free_cancel_until).toBeUndefined();
});

it('is free at first again after an attempt that failed', async () => {
  const id = await startJob(600);
  await failJob(gateway.ctx, { jobId: id, attempt: 1, code: 'processing_crashed', retryBaseS: 0 });
  await claimJob(gateway.ctx, id);
  const job = await call('GET', id);
  expect(Date.parse(job.free_cancel_until ?? '')).toBeGreaterThan(Date.now());
  expect(await call('DELETE', id)).toMatchObject({ status: 'cancelled', credits: 0 });
});

it('returns the credit of a job that is canceled early', async () => {
  const id = await startJob(0);
  const cancelled = await call('DELETE', id);
  expect(cancelled).toMatchObject({ status: 'cancelled', credits: 0 });
  expect(cancelled.error?.message).toBe("The job was canceled. You weren't charged.");
});

it('tells the same in the web app', async () => {
  const { client } = caller.owner;
  const [late, early] = [await startJob(60), await startJob(0)];
  expect((await client.getJob({ params: { id: late } })).data.freeCancelUntil).toBeDefined();
  expect((await client.deleteJob({ params: { id: late } })).data).toMatchObject({ credits: 1 });
  expect((await client.deleteJob({ params: { id: early } })).data).toMatchObject({ credits: 0 });
});
