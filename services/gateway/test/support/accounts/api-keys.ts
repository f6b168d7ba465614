import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Tables } from '@uprez/db/database';
import type { SignedIn } from '@uprez/testing/sign-up';
import { sql, type UpdateObject } from 'kysely';
import { makeCheckedFetch } from '../checked-fetch.ts';
import type { TestGateway } from '../start-test-gateway.ts';

const checkedFetch = makeCheckedFetch(fetch);

/** Sets the plan of an account. */
export async function setPlan({ ctx }: TestGateway, { user }: SignedIn, tier: Tier): Promise<void> {
  await ctx.db.updateTable('users').set({ tier }).where('id', '=', user.id).execute();
}

/** Creates an account on a plan with keys. */
export async function signUpWithPlan(gateway: TestGateway, tier: Tier = 'api_basic'): Promise<SignedIn> {
  const signedUp = await gateway.signUp();
  const values = { tier, emailVerified: true };
  await gateway.ctx.db.updateTable('users').set(values).where('id', '=', signedUp.user.id).execute();
  return signedUp;
}

export const makeKey = async ({ client }: SignedIn, more: object = {}) =>
  (await client.createApiKey({ body: { name: 'CI', ...more } })).data;

/** Changes the row of a key. */
export async function changeKeyRow(
  { ctx }: TestGateway,
  id: string,
  values: UpdateObject<Tables, 'apiKeys'>,
): Promise<void> {
  await ctx.db.updateTable('apiKeys').set(values).where('id', '=', id).execute();
}

/** Moves the expiry of a key this many hours closer. */
export async function ageKey(gateway: TestGateway, id: string, hours: number): Promise<void> {
  await changeKeyRow(gateway, id, { expiresAt: sql<Date>`expires_at - make_interval(hours => ${hours})` });
}

/** Calls GET /v1/account with a key. */
export const askAccount = (gateway: TestGateway, key: string, headers: Record<string, string> = {}) =>
  checkedFetch(`${gateway.url}/v1/account`, { headers: { authorization: `Bearer ${key}`, ...headers } });

/** Returns the status of a response with its error code, if any. */
export const outcome = ({ status, headers }: Response) => {
  const code = headers.get('x-error-code');
  return code === null ? String(status) : `${status} ${code}`;
};
