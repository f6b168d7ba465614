import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { shareTestContext } from '@uprez/testing/share-test-context';
import { beforeAll, expect, test } from 'vitest';
import { maxSecondsOf, recheckPipeline } from '../src/jobs/attempts/claim-next-job.ts';

const ctx = shareTestContext();
let job: JobRow;
beforeAll(async () => {
  ({ job } = await makeJob(ctx, await makeUser(ctx.db, 'api_pro'), { factor: 2 }));
});

/** Checks the job with changes on a plan. */
const recheck = (tier: Tier, changes: Partial<JobRow> = {}) =>
  recheckPipeline({ job: { ...job, ...changes }, account: { tier, planVersion: null } });
const maxSeconds = (tier: Tier, changes: Partial<JobRow> = {}) =>
  maxSecondsOf({ job: { ...job, ...changes }, account: { tier, planVersion: null } });
const factor = (scaleFactor: number) => ({ recipe: { ...job.recipe, scaleFactor } });
const output = (changes: Partial<JobRow['plan']['output']>) => ({
  plan: { ...job.plan, output: { ...job.plan.output, ...changes } },
});

test("a job within the account's current plan is processed", () => {
  for (const tier of ['free', 'pro', 'enterprise'] as const) expect(recheck(tier)).toBeUndefined();
  expect(recheck('api_basic', { surface: 'api' })).toBeUndefined();
});

test('a job beyond the current plan returns the error that the call would return', () => {
  expect(recheck('api_pro', factor(16))).toBeUndefined();
  expect(recheck('free', factor(16))).toMatchObject({
    code: 'plan_feature',
    detail: expect.stringContaining('up to 8x'),
  });
  expect(recheck('free', output({ format: 'avif' }))).toMatchObject({ code: 'plan_feature' });
  const large = output({ width: 20_000, height: 15_000 });
  expect(recheck('api_pro', large)).toBeUndefined();
  expect(recheck('pro', large)).toMatchObject({ code: 'output_too_large' });
  const long = { plan: { ...job.plan, estimate: { ...job.plan.estimate, seconds: 1_200 } } };
  expect(recheck('api_pro', long)).toBeUndefined();
  expect(recheck('pro', long)).toMatchObject({ code: 'job_too_long', meta: { unlockedBy: 'api_pro' } });
  expect(recheck('pro', { surface: 'api' })).toMatchObject({
    code: 'plan_feature',
    detail: expect.stringContaining('API'),
  });
});

test('a preview is never checked against the plan', () => {
  expect(recheck('free', { ...factor(16), kind: 'preview' })).toBeUndefined();
  expect(recheck('free', { ...factor(16), accountId: null })).toBeUndefined();
});

test("a job may take as long as the account's current plan allows, and a preview without limit", () => {
  for (const tier of ['free', 'pro', 'api_pro'] as const) expect(maxSeconds(tier)).toBe(currentPlans[tier].jobSeconds);
  expect(maxSeconds('pro', { accountId: null })).toBe(currentPlans.free.jobSeconds);
  expect(maxSeconds('free', { kind: 'preview' })).toBe(Number.POSITIVE_INFINITY);
});
