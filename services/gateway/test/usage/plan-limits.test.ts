import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { outputFormats } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import { countImages, type JobMeter, type Meter, meters } from '@uprez/contracts/policy/plans/meters';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans/plans';
import type { LedgerEntry } from '@uprez/contracts/schemas/jobs/metering';
import { sumStoredBytes } from '@uprez/db/queries/usage/usage';
import { readQuota } from '@uprez/domain/usage/read-quota';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { imageForm, type SignedIn } from '@uprez/testing/sign-up';
import { beforeAll, describe, expect, it } from 'vitest';
import { askAccount, makeKey, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { cookieOf, expectClean, itemsOf, leaveUnits } from '../support/batches.ts';
import { finishJob } from '../support/finish-job.ts';
import { makeHeaderOnlyPng } from '../support/http/header-only.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it checks the ledger of all accounts.
const gateway = fileFixture(() => startTestGateway());
/** A gateway of the same product with the real rate limits, counted separately. */
const counting = fileFixture(() =>
  startTestGateway({
    RATE_LIMIT_SCALE: '1',
    DATABASE_URL: gateway.ctx.databaseUrl,
    QUEUE_PREFIX: `${gateway.ctx.redis.prefix}-counting`,
    DATA_DIR: gateway.ctx.dataDir,
  }),
);

/** Every column of the plan table, including columns of a single plan. */
type Column = { [T in Tier]: keyof (typeof currentPlans)[T] }[Tier] | keyof Plan;
type Subject = { tier: Tier; plan: Plan; user: SignedIn };
type Refused = { code: ErrorCode; meta?: object; unlockedBy?: Tier | undefined };

const row = (tier: Tier): Plan => currentPlans[tier];
/** Returns the smallest plan that allows it. */
const opener = (allows: (plan: Plan) => boolean) => tiers.find((tier) => allows(row(tier)));
const small = makeHeaderOnlyPng(8, 8);
const standard = { engine: 'standard', scaleFactor: '2' };
const ai = { engine: 'photo-fast', scaleFactor: '2' };

const send = ({ user }: Subject, fields: Record<string, string> = standard, image = small) =>
  user.client.processImage({ body: imageForm(image, fields), headers: { prefer: 'respond-async' } });

async function expectAccepted(call: Promise<{ status: number }>, status = 202): Promise<void> {
  expect((await call).status).toBe(status);
}

/** Expects an error with its status, its figures, and the plan that allows more, if there is one. */
async function expectRefused(call: Promise<unknown>, { code, meta = {}, unlockedBy }: Refused): Promise<void> {
  const error = await call.then(
    () => 'accepted',
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({
    code,
    status: errorCodes[code].status,
    sentence: expect.stringMatching(/^[A-Z].+\.$/),
  });
  const told = (error as { meta?: { unlockedBy?: Tier } }).meta;
  if (code !== 'invalid_parameter') expect(told).toMatchObject(meta);
  expect(told?.unlockedBy).toBe(unlockedBy);
}

/** Sides are whole pixels, so one pixel more than the largest factor is the smallest step above it. */
async function checkFactor(subject: Subject, by: JobMeter): Promise<void> {
  const engine = by === 'ai' ? 'photo-fast' : 'standard';
  const limit = subject.plan.maxFactor[by];
  const longSide = limit * 8;
  await expectAccepted(send(subject, { engine, longSide: String(longSide) }));
  const value = Math.round(((longSide + 1) / 8) * 100) / 100;
  await expectRefused(send(subject, { engine, longSide: String(longSide + 1) }), {
    code: 'plan_feature',
    meta: { limit, value },
    unlockedBy: opener((plan) => plan.maxFactor[by] >= value),
  });
}

/** Checks a result with the largest number of pixels, and one with one more row. */
async function checkOutput(subject: Subject): Promise<void> {
  const limit = subject.plan.maxOutputPixels;
  const [width, height] = [10_000, limit / 10_000];
  const image = makeHeaderOnlyPng(width / 4, height / 4);
  const size = (rows: number) => ({ engine: 'standard', width: String(width), height: String(rows), fit: 'cover' });
  await expectAccepted(send(subject, size(height), image));
  await expectRefused(send(subject, size(height + 1), image), {
    code: 'output_too_large',
    meta: { limit, value: limit + width },
  });
}

/**
 * Checks images that take less and more time than the plan allows. The results are slightly smaller than the images,
 * because the time of larger ones depends on their detail, which is measured only when they are processed.
 */
async function checkTime(subject: Subject): Promise<void> {
  const limit = subject.plan.jobSeconds;
  const fields = { engine: 'photo', scaleFactor: '0.996' };
  const { data } = await subject.user.client.estimate({ body: { width: 6_000, height: 1_000, ...fields } });
  const rows = (share: number) => Math.round((1_000 * share * limit) / (data.seconds ?? 0));
  await expectAccepted(send(subject, fields, makeHeaderOnlyPng(6_000, rows(0.8))));
  await expectRefused(send(subject, fields, makeHeaderOnlyPng(6_000, rows(1.3))), {
    code: 'job_too_long',
    meta: { limit },
    unlockedBy: opener((plan) => plan.jobSeconds > 1.3 * limit),
  });
}

async function checkFormats(subject: Subject): Promise<void> {
  const { formats } = subject.plan;
  for (const format of outputFormats) {
    const call = send(subject, { ...standard, format });
    if (formats === 'all' || formats.includes(format)) await expectAccepted(call);
    else {
      const unlockedBy = opener((plan) => plan.formats === 'all' || plan.formats.includes(format));
      await expectRefused(call, { code: 'plan_feature', meta: { value: format }, unlockedBy });
    }
  }
}

async function checkBulk({ user, plan: { bulkFiles } }: Subject): Promise<void> {
  const create = (files: number) =>
    user.client.createBatch({ body: { recipe: standard, items: itemsOf(...Array(files).fill('a.png')) } });
  await expectAccepted(create(bulkFiles), 201);
  const more = bulkFiles + 1;
  // The schema of the call enforces the product's own limit for all plans.
  const refused: Refused =
    more > limits.batchItems
      ? { code: 'invalid_parameter' }
      : {
          code: 'plan_feature',
          meta: { limit: bulkFiles, value: more },
          unlockedBy: opener((plan) => plan.bulkFiles >= more),
        };
  await expectRefused(create(more), refused);
}

/** Checks the size declared in a batch, the Content-Length of an upload, and the rule for uploads with a key. */
async function checkUploads({ tier, plan, user }: Subject): Promise<void> {
  const { web, api } = plan.uploadBytes;
  const items = [web, web + 1].map((size, index) => ({ clientId: String(index), name: 'a.png', size }));
  const { data: batch } = await user.client.createBatch({ body: { recipe: standard, items } });
  expect(batch.items.map(({ status, error }) => [status, error?.code])).toEqual([
    ['waiting', undefined],
    ['failed', 'file_too_large'],
  ]);
  const put = [
    `PUT /api/batches/${batch.id}/items/${batch.items[0]?.id} HTTP/1.1`,
    `Cookie: ${await cookieOf(gateway, user)}`,
    'Content-Type: image/png',
    `Content-Length: ${web + 1}`,
  ];
  const refused = await sendRaw({ url: gateway.url, head: put });
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([413, 'file_too_large']);
  expect(refused.body).toContain(`${web / 1024 ** 2} MB`);
  expect(checkPlanLimits(currentPlans[tier], { what: 'upload', surface: 'api', bytes: (api ?? 0) + 1 }).ok).toBe(false);
  expect(checkPlanLimits(currentPlans[tier], { what: 'upload', surface: 'api', bytes: api ?? 1 }).ok).toBe(
    api !== null,
  );
}

async function checkStorage(subject: Subject): Promise<void> {
  const { db } = gateway.ctx;
  const { tier, user, plan } = subject;
  const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans[tier] });
  await finishJob(gateway.ctx, job.id);
  const objects = db.selectFrom('objects').select(['id', 'size']);
  const { id, size } = await objects.where('jobId', '=', job.id).where('kind', '=', 'result').executeTakeFirstOrThrow();
  const others = (await sumStoredBytes(db, user.user.id)) - Number(size);
  const fill = (bytes: number | null) => db.updateTable('objects').set({ size: bytes }).where('id', '=', id).execute();
  const limit = plan.storageBytes;
  await fill(limit - others + 1);
  await expectRefused(send(subject), {
    code: 'storage_full',
    meta: { limit, value: limit + 1 },
    unlockedBy: opener((other) => other.storageBytes > limit),
  });
  await fill(limit - others);
  await expectAccepted(send(subject));
  await fill(size);
}

/** Makes all calls of a minute and one more, with an endpoint that costs nothing. */
async function checkCalls({ user, plan: { callsPerMinute } }: Subject): Promise<void> {
  const body = JSON.stringify({ width: 8, height: 8 });
  const headers = { 'content-type': 'application/json' };
  const call = () => user.fetch(`${counting.url}/api/estimate`, { method: 'POST', headers, body });
  for (let done = 0; done < callsPerMinute; ) {
    const answers = await Promise.all(Array.from({ length: Math.min(20, callsPerMinute - done) }, call));
    for (const { status, headers: told } of answers)
      expect([status, told.get('ratelimit-limit')]).toEqual([200, String(callsPerMinute)]);
    done += answers.length;
  }
  const refused = await call();
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([429, 'rate_limited']);
  expect(refused.headers.get('ratelimit-limit')).toBe(String(callsPerMinute));
  expect(refused.headers.get('ratelimit-remaining')).toBe('0');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
}

const unitsOf = ({ included }: Plan): Partial<Record<Meter, number>> => included;

async function checkIncluded({ user, plan }: Subject): Promise<void> {
  const quota = await readQuota(gateway.ctx, { actor: { accountId: user.user.id } });
  expect(Object.fromEntries(quota.meters.map(({ meter, included }) => [meter, included]))).toEqual(unitsOf(plan));
}

/** Spends the last unit of each meter; the next job is an error, or is accepted by plans without a hard stop. */
async function checkHardStop({ tier, plan }: Subject): Promise<void> {
  const own = { tier, plan, user: await signUpWithPlan(gateway, tier) };
  const { period } = await readQuota(gateway.ctx, { actor: { accountId: own.user.user.id } });
  const told = { have: 0, needs: 1, resetsAt: period.endsAt.toISOString(), upgradeUrl: '/pricing' };
  for (const meter of meters.filter((name) => name in unitsOf(plan))) {
    await leaveUnits(gateway, own.user, [meter, 1]);
    const fields = meter === 'ai' ? ai : standard;
    await expectAccepted(send(own, fields));
    if (plan.hardStop) await expectRefused(send(own, fields), { code: 'quota_exceeded', meta: { meter, ...told } });
    else await expectAccepted(send(own, fields));
  }
  await expectExplained(own.user);
}

async function checkApi({ plan, user }: Subject): Promise<void> {
  if (!plan.api) {
    const call = user.client.createApiKey({ body: { name: 'CI' } });
    return expectRefused(call, { code: 'plan_feature', unlockedBy: opener((other) => other.api) });
  }
  const { key } = await makeKey(user);
  expect((await askAccount(gateway, key)).status).toBe(200);
}

/** Checks the rule only; the webhook tests check the endpoints. */
async function checkWebhooks({ tier, plan }: Subject): Promise<void> {
  expect(checkPlanLimits(currentPlans[tier], { what: 'webhooks' }).ok).toBe(plan.webhooks === 'delivery');
}

/** Checks the value in the plan list. `bench:fairness` measures the shares of the queue. */
const checkTold = (column: keyof Plan) => async (subject: Subject) => {
  const { tier, plan, user } = subject;
  const card = (await user.client.listPlans({})).data.find(({ key }) => key === tier);
  expect({ ...card, ...card?.entitlements }).toMatchObject({ [column]: plan[column] });
};

/** Checks the version of the plan, which limits nothing. */
async function checkVersion({ tier }: Subject): Promise<void> {
  expect(currentPlans[tier].version).toBeGreaterThanOrEqual(1);
}

/** A column without a check is a type error. */
const checks: Record<Column, (subject: Subject) => Promise<void>> = {
  included: checkIncluded,
  maxFactor: async (subject) => {
    await checkFactor(subject, 'ai');
    await checkFactor(subject, 'standard');
  },
  bulkFiles: checkBulk,
  maxOutputPixels: checkOutput,
  jobSeconds: checkTime,
  uploadBytes: checkUploads,
  storageBytes: checkStorage,
  callsPerMinute: checkCalls,
  formats: checkFormats,
  api: checkApi,
  hardStop: checkHardStop,
  webhooks: checkWebhooks,
  name: checkTold('name'),
  price: checkTold('price'),
  queueWeight: checkTold('queueWeight'),
  version: checkVersion,
};

/** Returns all pages of the ledger of an account. */
async function readLedger({ client }: SignedIn): Promise<LedgerEntry[]> {
  const rows: LedgerEntry[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { limit: limits.maxPageRows, ...(cursor !== undefined && { cursor }) };
    const { data, headers } = await client.listLedger({ query });
    rows.push(...data);
    cursor = /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
    if (cursor === undefined) return rows;
  }
}

/** Expects a reason for every unit in the ledger, and a sum equal to the remaining units. */
async function expectExplained(user: SignedIn): Promise<void> {
  const rows = await readLedger(user);
  // Rows that change units have a full reason. The row of a delivered image changes none.
  for (const { units, reason } of rows) expect(reason).toMatch(units === 0 ? /^[A-Z]/ : /^[A-Z]\S+ .+ .+/);
  const grants = rows.filter(({ kind }) => kind === 'grant');
  expect(grants).not.toEqual([]);
  for (const { meter, reason, units } of grants)
    expect(reason).toMatch(new RegExp(` plan, .+ 20\\d\\d: ${countImages(units, meter)}$`));
  const quota = await readQuota(gateway.ctx, { actor: { accountId: user.user.id } });
  for (const { meter, included, granted, used, left } of quota.meters) {
    const sum = rows.filter((entry) => entry.meter === meter).reduce((total, { units }) => total + units, 0);
    expect(sum).toBe(included + granted - used);
    expect(left).toBe(Math.max(0, sum));
  }
}

describe.each(tiers)('the plan %s', (tier) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = { tier, plan: row(tier), user: await signUpWithPlan(gateway, tier) };
  });
  it.each(Object.keys(checks) as Column[])('enforces or returns %s', (column) => checks[column](subject));
  it('has a ledger that explains every unit', async () => {
    await expectExplained(subject.user);
    await expectClean(gateway.ctx);
  });
});
