import type { JobMeter, Meter } from '@uprez/contracts/policy/plans/meters';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Batch } from '@uprez/contracts/schemas/jobs/batch';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import type { TestContext } from '@uprez/testing/open-test-context';
import type { SignedIn } from '@uprez/testing/sign-up';
import { afterEach, expect } from 'vitest';
import { claimJob } from './finish-job.ts';
import { setUnitsLeft } from './set-units-left.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

/** Opens a gateway for a file and a user for each test, and checks the ledger after each test. */
export function openBatchFixtures() {
  // Not shared: the ledger of all accounts is checked.
  const gateway = fileFixture(() => startTestGateway());
  const user = testFixture(() => gateway.signUp());
  afterEach(() => expectClean(gateway.ctx));
  return { gateway, user };
}

/** Creates an account on a plan. */
export async function signUpOn(gateway: TestGateway, tier: Tier): Promise<SignedIn> {
  const user = await gateway.signUp();
  await gateway.ctx.db.updateTable('users').set({ tier }).where('id', '=', user.user.id).execute();
  return user;
}

/** Sets the remaining units of a meter. */
export async function leaveUnits({ ctx }: TestGateway, { user, client }: SignedIn, left: [Meter, number]) {
  const [meter, units] = left;
  await client.listLedger({});
  await setUnitsLeft(ctx.db, { accountId: user.id, meter, units });
}

/** Returns the remaining units of a meter. */
export async function unitsLeft({ ctx }: TestGateway, { user }: SignedIn, meter: JobMeter): Promise<number> {
  const rows = await ctx.db
    .selectFrom('allowances')
    .select('unitsLeft')
    .where('accountId', '=', user.id)
    .where('meter', '=', meter)
    .execute();
  return rows.reduce((sum, row) => sum + row.unitsLeft, 0);
}

export const standard = { engine: 'standard', scaleFactor: 2 };
export const itemsOf = (...names: string[]) => names.map((name, index) => ({ clientId: `c${index}`, name }));

export async function makeBatch(user: SignedIn, names: string[], recipe: Record<string, string | number> = standard) {
  const { data } = await user.client.createBatch({ body: { recipe, items: itemsOf(...names) } });
  return data;
}
export const readBatch = async (user: SignedIn, { id }: Pick<Batch, 'id'>): Promise<Batch> =>
  (await user.client.getBatch({ params: { id } })).data;

type Put = { itemId: string | undefined; data: Buffer | string; type?: string; headers?: Record<string, string> };

/** Uploads a file of a batch as a raw body. */
export function putItem(gateway: TestGateway, { user, batch }: { user: SignedIn; batch: Batch }, put: Put) {
  const { itemId, data, type = 'image/png', headers } = put;
  return user.fetch(`${gateway.url}/api/batches/${batch.id}/items/${itemId}`, {
    method: 'PUT',
    headers: { 'content-type': type, ...headers },
    body: typeof data === 'string' ? data : new Uint8Array(data),
  });
}

/** Fails a job permanently, as a worker does for a corrupt image. */
export async function failForGood(ctx: TestContext, jobId: string): Promise<void> {
  const attempt = await claimJob(ctx, jobId);
  await failJob(ctx, { jobId, attempt, code: 'corrupt_image', retryBaseS: 0 });
}

/** Expects a consistent ledger. */
export const expectClean = async (ctx: TestContext) => expect((await checkLedger(ctx)).errors).toEqual([]);

/** Returns the cookie of a new session, for raw requests. */
export async function cookieOf(gateway: TestGateway, { email, password }: SignedIn): Promise<string> {
  const answer = await fetch(`${gateway.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
