import { randomUUID } from 'node:crypto';
import type { Mail, MailName } from '@uprez/contracts/schemas/mails';
import { afterSeconds } from '@uprez/db/times';
import { createAccountToken, type NewAccountToken } from '@uprez/domain/mails/account-token';
import { makeCookieFetch, type SignedIn } from '@uprez/testing/sign-up';
import { makeCheckedFetch } from '../checked-fetch.ts';
import type { TestGateway } from '../start-test-gateway.ts';

export const freshEmail = () => `${randomUUID()}@example.test`;

/** Returns helpers that call account endpoints, checked against the contract, and read their rows. */
export function openAccountCalls(gateway: TestGateway) {
  const db = () => gateway.ctx.db;
  const send = (fetcher: typeof fetch, [method, path]: readonly [string, string], body?: unknown) =>
    fetcher(`${gateway.url}${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  const anonymous = makeCheckedFetch(fetch);
  return {
    post: (path: string, body?: unknown) => send(anonymous, ['POST', path], body),
    postAs: (user: SignedIn, path: string, body?: unknown) => send(user.fetch, ['POST', path], body),
    patchAs: (user: SignedIn, path: string, body?: unknown) => send(user.fetch, ['PATCH', path], body),
    /** Signs the user in on another device. */
    signIn: async (user: SignedIn, password = user.password) => {
      const device = makeCookieFetch();
      const { status } = await send(device, ['POST', '/api/login'], { email: user.email, password });
      return { status, isSignedIn: async () => (await device(`${gateway.url}/api/user`)).status === 200 };
    },
    /** Creates the token of a link in an email of this kind. */
    linkTo: ({ user }: SignedIn, kind: NewAccountToken['kind'], email = user.email) =>
      createAccountToken(db(), { userId: user.id, kind, email, lifeS: 3600 }),
    row: ({ user }: SignedIn) =>
      db().selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow(),
    change: async ({ user }: SignedIn, values: { suspendedAt?: Date; emailVerified?: boolean }) => {
      await db().updateTable('users').set(values).where('id', '=', user.id).execute();
    },
    /** Returns the queued and sent emails of a kind to a user. */
    mails: async ({ user }: SignedIn, name: MailName) => {
      const rows = await db().selectFrom('outbox').select('payload').where('userId', '=', user.id).execute();
      return rows.map(({ payload }) => payload as Mail).filter(({ mail }) => mail === name);
    },
    countMails: async () => {
      const { count } = await db()
        .selectFrom('outbox')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    /** Ages the emails of a user by this many seconds. */
    ageMails: async ({ user }: SignedIn, seconds: number) => {
      await db()
        .updateTable('outbox')
        .set({ createdAt: afterSeconds(-seconds) })
        .where('userId', '=', user.id)
        .execute();
    },
    expireLinks: async ({ user }: SignedIn) => {
      await db()
        .updateTable('accountTokens')
        .set({ expiresAt: afterSeconds(-1) })
        .where('userId', '=', user.id)
        .execute();
    },
  };
}
