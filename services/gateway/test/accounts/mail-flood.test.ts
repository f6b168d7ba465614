import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { expect, it } from 'vitest';
import { freshEmail, openAccountCalls } from '../support/accounts/accounts.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

/** Whoever signs up with a stranger's address, or names one, fills no mailbox with it. */
const gateway = fileFixture(() => startTestGateway());
const calls = openAccountCalls(gateway);

const json = (method: string, body: object) => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
/** The mails about a user that will be sent. */
async function leaving({ user }: SignedIn): Promise<unknown[]> {
  const query = gateway.ctx.db.selectFrom('outbox').select('payload').orderBy('id');
  const rows = await query.where('userId', '=', user.id).where('failedAt', 'is', null).execute();
  return rows.map(({ payload }) => payload.mail);
}
async function askAndKeep(user: SignedIn): Promise<number[]> {
  const asked = await user.fetch(`${gateway.url}/api/user`, json('DELETE', { password: user.password }));
  return [asked.status, (await calls.postAs(user, '/api/user/keep')).status];
}

it('an address that was never confirmed gets nothing but the mails that confirm it', async () => {
  const user = await gateway.signUp();
  expect(await askAndKeep(user)).toEqual([202, 200]);
  const same = { currentPassword: user.password, newPassword: user.password };
  expect((await calls.postAs(user, '/api/user/password', same)).status).toBe(200);
  expect((await calls.signIn(user)).status).toBe(200);
  const move = { email: freshEmail(), password: user.password };
  expect((await calls.postAs(user, '/api/user/email', move)).status).toBe(202);
  expect(await leaving(user)).toEqual(['verify_email', 'welcome', 'confirm_new_email']);
  const rows = await gateway.ctx.db.selectFrom('outbox').selectAll().where('userId', '=', user.user.id).execute();
  expect(JSON.stringify(rows.filter(({ failedAt }) => failedAt !== null))).not.toMatch(/@|deletesAt/);

  await calls.post('/api/verify-email', { token: await calls.linkTo(user, 'change_email', move.email) });
  expect(await leaving(user)).not.toContain('email_changed');
});

it('a confirmed one gets five of a kind within an hour, and what they tell of happens all the same', async () => {
  const user = await gateway.signUp();
  await calls.change(user, { emailVerified: true });
  for (let time = 0; time < 7; time += 1) expect(await askAndKeep(user)).toEqual([202, 200]);
  const asked = async () => (await leaving(user)).filter((mail) => mail === 'deletion_asked').length;
  expect(await asked()).toBe(5);
  await calls.ageMails(user, 60 * 60 + 1);
  await askAndKeep(user);
  expect(await asked()).toBe(6);
});

it('three links an hour go to an address that others name, however many accounts name it', async () => {
  const email = freshEmail();
  const users = await Promise.all(Array.from({ length: 5 }, () => gateway.signUp()));
  const answers = [];
  for (const [index, user] of users.entries()) {
    const named = index % 2 ? email.toUpperCase() : email;
    answers.push(await calls.postAs(user, '/api/user/email', { email: named, password: user.password }));
  }
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(202));
  const named = await Promise.all(users.map(leaving));
  expect(named.flat().filter((mail) => mail === 'confirm_new_email')).toHaveLength(3);
  const counted = await gateway.ctx.db.selectFrom('attempts').select('subject').execute();
  expect(JSON.stringify(counted)).not.toContain(email);
});
