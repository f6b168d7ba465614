import type { Tier } from '@uprez/contracts/policy/plans';
import type { Tables } from '@uprez/db/database';
import type { SignedIn } from '@uprez/testing/sign-up';
import { sql, type UpdateObject } from 'kysely';
import { makeCheckedFetch } from '../checked-fetch.ts';
import type { TestGateway } from '../start-test-gateway.ts';

const checkedFetch = makeCheckedFetch(fetch);

/** Put an account on a plan. */
export async function setPlan({ ctx }: TestGateway, { user }: SignedIn, tier: Tier): Promise<void> {
  await ctx.db.updateTable('users').set({ tier }).where('id', '=', user.id).execute();
}

/** A fresh account that may have keys. */
export async function signUpWithPlan(gateway: TestGateway, tier: Tier = 'api_basic'): Promise<SignedIn> {
  const signedUp = await gateway.signUp();
  const values = { tier, emailVerified: true };
  await gateway.ctx.db.updateTable('users').set(values).where('id', '=', signedUp.user.id).execute();
  return signedUp;
}

export const makeKey = async ({ client }: SignedIn, more: object = {}) =>
  (await client.createApiKey({ body: { name: 'CI', ...more } })).data;

/** Change a key's row, as if it had been made or used at another time. */
export async function changeKeyRow(
  { ctx }: TestGateway,
  id: string,
  values: UpdateObject<Tables, 'apiKeys'>,
): Promise<void> {
  await ctx.db.updateTable('apiKeys').set(values).where('id', '=', id).execute();
}

/** Let so many hours pass for a key that has an end. */
export async function ageKey(gateway: TestGateway, id: string, hours: number): Promise<void> {
  await changeKeyRow(gateway, id, { expiresAt: sql<Date>`expires_at - make_interval(hours => ${hours})` });
}

/** The account of a key. */
export const askAccount = (gateway: TestGateway, key: string, headers: Record<string, string> = {}) =>
  checkedFetch(`${gateway.url}/v1/account`, { headers: { authorization: `Bearer ${key}`, ...headers } });

/** What came of a call: its status, and its code where there is one. */
export const outcome = ({ status, headers }: Response) => {
  const code = headers.get('x-error-code');
  return code === null ? String(status) : `${status} ${code}`;
};
