import { randomUUID } from 'node:crypto';
import { addressOf, callJson } from './calls.ts';

export type Account = { id: string; cookie: string; email: string };

/** Of all accounts. */
export const password = 'correct horse';

const addressBlock = 200;
let signedUp = 0;

/** Signs up an account, each from another address, because sign-ups are limited per address. */
export async function signUpFrom(url: string): Promise<Account> {
  signedUp += 1;
  const email = `${randomUUID()}@example.test`;
  const body = { email, password, firstName: 'Eve' };
  const reply = await callJson({ url, path: '/api/register', body, from: addressOf(addressBlock, signedUp) });
  if (reply.status >= 300) throw new Error(`sign-up returned ${reply.status} ${reply.text}`);
  const cookie = (reply.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  return { id: String(JSON.parse(reply.text).id), cookie, email };
}
