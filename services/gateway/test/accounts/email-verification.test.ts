import { testFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { describe, expect, it } from 'vitest';
import { freshEmail, openAccountCalls } from '../support/accounts/accounts.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
const calls = openAccountCalls(gateway);
const user = testFixture(() => gateway.signUp());

const verify = (token: string) => calls.post('/api/verify-email', { token });
const resend = () => calls.postAs(user, '/api/verify-email/resend');
const askFor = (email: string, password = user.password) => calls.postAs(user, '/api/user/email', { email, password });
const message = async (response: Response) => ((await response.json()) as { message: string }).message;

async function expectRefused(response: Response, code: string, status: number) {
  expect(response.status).toBe(status);
  expect(response.headers.get('x-error-code')).toBe(code);
}

describe('POST /api/verify-email', () => {
  it('confirms the email address by the link, without a session, and also when repeated', async () => {
    const token = await calls.linkTo(user, 'verify');
    expect(await calls.row(user)).toMatchObject({ emailVerified: false });
    const answers = await Promise.all([verify(token), verify(token)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await calls.row(user)).toMatchObject({ emailVerified: true, email: user.email });
    expect((await user.client.user()).data.emailVerified).toBe(true);
    expect((await verify(token)).status).toBe(200);
  });

  it('rejects expired, replaced, invalid, and foreign links, and links to another email address', async () => {
    const elsewhere = await calls.linkTo(user, 'verify', freshEmail());
    await expectRefused(await verify(elsewhere), 'invalid_token', 400);
    const old = await calls.linkTo(user, 'verify');
    const token = await calls.linkTo(user, 'verify');
    for (const wrong of [old, elsewhere, `${token}a`, '', await calls.linkTo(user, 'reset')])
      await expectRefused(await verify(wrong), 'invalid_token', 400);
    await calls.expireLinks(user);
    await expectRefused(await verify(token), 'invalid_token', 400);
    expect(await calls.row(user)).toMatchObject({ emailVerified: false });
  });

  it('does not confirm the email address of a suspended account', async () => {
    const token = await calls.linkTo(user, 'verify');
    await calls.change(user, { suspendedAt: new Date() });
    await expectRefused(await verify(token), 'invalid_token', 400);
  });
});

describe('POST /api/verify-email/resend', () => {
  it('queues one email per minute and says when the next one can be sent', async () => {
    await calls.ageMails(user, 61);
    const before = (await calls.mails(user, 'verify_email')).length;
    const said = await Promise.all([resend(), resend(), resend()]);
    expect(said.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    const [sent, tooSoon] = said.toSorted((one, other) => one.status - other.status);
    if (!sent || !tooSoon) throw new Error('no responses');
    expect(await message(sent)).toBe(`We sent a link to ${user.email}. It expires in 24 hours.`);
    expect(Number(tooSoon.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(await tooSoon.text()).toMatch(
      /^We already sent a link to .+\. You can request another one in (\d\d seconds|1 minute)\.$/,
    );
    expect(await calls.mails(user, 'verify_email')).toHaveLength(before + 1);
    await calls.ageMails(user, 61);
    await resend();
    expect(await calls.mails(user, 'verify_email')).toHaveLength(before + 2);
  });

  it('keeps the page to open after the confirmation, unless it could lead to another site', async () => {
    for (const next of ['/subscribe?plan=pro', '//evil.example', 'https://evil.example']) {
      await calls.ageMails(user, 600);
      const query = new URLSearchParams({ next });
      expect((await calls.postAs(user, `/api/verify-email/resend?${query}`)).status).toBe(200);
    }
    expect((await calls.mails(user, 'verify_email')).slice(-3)).toEqual([
      { mail: 'verify_email', next: '/subscribe?plan=pro' },
      { mail: 'verify_email' },
      { mail: 'verify_email' },
    ]);
  });

  it('says when the limit of emails per hour ends', async () => {
    await calls.ageMails(user, 600);
    for (let sent = (await calls.mails(user, 'verify_email')).length; sent < 5; sent += 1) {
      expect((await resend()).status).toBe(200);
      await calls.ageMails(user, 600);
    }
    const refused = await resend();
    expect(refused.status).toBe(429);
    expect(await refused.text()).toMatch(/You can request another one in 50 minutes\.$/);
  });

  it('returns an error when the email address is already confirmed', async () => {
    await calls.ageMails(user, 61);
    const asked = await message(await resend());
    await verify(await calls.linkTo(user, 'verify'));
    const before = await calls.countMails();
    await calls.ageMails(user, 61);
    const response = await resend();
    expect(response.status).toBe(200);
    expect(await message(response)).not.toBe(asked);
    expect(await calls.countMails()).toBe(before);
  });

  it('returns 401 without a session', async () => {
    await expectRefused(await calls.post('/api/verify-email/resend'), 'not_signed_in', 401);
  });
});

describe('POST /api/user/email', () => {
  it('sends an email to both addresses and changes nothing yet', async () => {
    const email = freshEmail();
    await calls.change(user, { emailVerified: true });
    expect((await askFor(email)).status).toBe(202);
    expect(await calls.mails(user, 'confirm_new_email')).toEqual([{ mail: 'confirm_new_email', to: email }]);
    expect(await calls.mails(user, 'email_change_asked')).toEqual([{ mail: 'email_change_asked', newEmail: email }]);
    expect(await calls.row(user)).toMatchObject({ email: user.email });
  });

  it('returns the same response for a taken email address, and sends nothing to it', async () => {
    const other = await gateway.signUp();
    const free = await askFor(freshEmail());
    await calls.ageMails(user, 61);
    const taken = await askFor(other.email.toUpperCase());
    expect([taken.status, await message(taken)]).toEqual([free.status, await message(free)]);
    expect(await calls.mails(user, 'confirm_new_email')).toEqual([]);
    expect(await calls.mails(user, 'email_change_asked')).toHaveLength(2);
    expect(await calls.mails(other, 'confirm_new_email')).toEqual([]);
  });

  it('requires the password, a different email address, a session, and a pause between requests', async () => {
    await expectRefused(await askFor(freshEmail(), 'not this one'), 'wrong_password', 403);
    await expectRefused(await askFor(user.email.toUpperCase()), 'invalid_parameter', 422);
    await expectRefused(await askFor('nobody'), 'invalid_parameter', 422);
    expect(await calls.mails(user, 'email_change_asked')).toEqual([]);
    const body = { email: freshEmail(), password: user.password };
    await expectRefused(await calls.post('/api/user/email', body), 'not_signed_in', 401);
    const statuses = (await Promise.all([askFor(freshEmail()), askFor(freshEmail())])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([202, 429]);
  });

  it('invalidates the link of the previous request', async () => {
    const token = await calls.linkTo(user, 'change_email', freshEmail());
    await askFor(freshEmail());
    await expectRefused(await verify(token), 'invalid_token', 400);
  });
});

describe('confirming a new email address', () => {
  it('changes the email address, notifies the previous one, and invalidates links sent to it', async () => {
    const email = freshEmail();
    await calls.change(user, { emailVerified: true });
    const token = await calls.linkTo(user, 'change_email', email);
    const reset = await calls.linkTo(user, 'reset');
    const old = await calls.linkTo(user, 'verify');
    expect((await verify(token)).status).toBe(200);
    expect(await calls.row(user)).toMatchObject({ email, username: email, emailVerified: true });
    expect(await calls.mails(user, 'email_changed')).toEqual([
      { mail: 'email_changed', to: user.email, newEmail: email },
    ]);
    await expectRefused(await verify(old), 'invalid_token', 400);
    const resetting = await calls.post('/api/reset-password', { token: reset, newPassword: 'a longer battery' });
    await expectRefused(resetting, 'invalid_token', 400);
    expect((await calls.signIn(user)).status).toBe(401);
    expect((await calls.signIn({ ...user, email })).status).toBe(200);
    expect((await user.client.user()).data).toMatchObject({ email, username: email });
  });

  it('changes the email address once; a repeated link succeeds until the address changes again', async () => {
    const [first, second] = [freshEmail(), freshEmail()];
    await calls.change(user, { emailVerified: true });
    const token = await calls.linkTo(user, 'change_email', first);
    const statuses = (await Promise.all([verify(token), verify(token), verify(token)])).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
    expect(await calls.mails(user, 'email_changed')).toHaveLength(1);
    await verify(await calls.linkTo(user, 'change_email', second));
    await expectRefused(await verify(token), 'invalid_token', 400);
    expect(await calls.row(user)).toMatchObject({ email: second });
  });

  it('keeps a username that differs from the email address', async () => {
    await gateway.ctx.db.updateTable('users').set({ username: 'ada' }).where('id', '=', user.user.id).execute();
    await verify(await calls.linkTo(user, 'change_email', freshEmail()));
    expect(await calls.row(user)).toMatchObject({ username: 'ada' });
  });

  it('gives an email address to one of two accounts that confirm it at once', async () => {
    const email = freshEmail();
    const other = await gateway.signUp();
    const tokens = [await calls.linkTo(user, 'change_email', email), await calls.linkTo(other, 'change_email', email)];
    const answers = await Promise.all(tokens.map(verify));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const codes = answers.map(({ headers }) => headers.get('x-error-code'));
    expect(codes.filter((code) => code !== null)).toEqual(['email_taken']);
  });
});

describe('limits on emails', () => {
  const json = (method: string, body: object) => ({
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  /** Returns the queued emails about a user. */
  async function leaving({ user }: SignedIn): Promise<unknown[]> {
    const query = gateway.ctx.db.selectFrom('outbox').select('payload').orderBy('id');
    const rows = await query.where('userId', '=', user.id).where('failedAt', 'is', null).execute();
    return rows.map(({ payload }) => payload.mail);
  }
  async function askAndKeep(user: SignedIn): Promise<number[]> {
    const asked = await user.fetch(`${gateway.url}/api/user`, json('DELETE', { password: user.password }));
    return [asked.status, (await calls.postAs(user, '/api/user/keep')).status];
  }

  it('sends only confirmation emails to an unconfirmed address', async () => {
    const user = await gateway.signUp();
    expect(await askAndKeep(user)).toEqual([202, 200]);
    const changed = { ...user, password: 'a longer battery staple' };
    const change = { currentPassword: user.password, newPassword: changed.password };
    expect((await calls.postAs(user, '/api/user/password', change)).status).toBe(200);
    expect((await calls.signIn(changed)).status).toBe(200);
    const move = { email: freshEmail(), password: changed.password };
    expect((await calls.postAs(user, '/api/user/email', move)).status).toBe(202);
    expect(await leaving(user)).toEqual(['verify_email', 'welcome', 'confirm_new_email']);
    const rows = await gateway.ctx.db.selectFrom('outbox').selectAll().where('userId', '=', user.user.id).execute();
    expect(JSON.stringify(rows.filter(({ failedAt }) => failedAt !== null))).not.toMatch(/@|deletesAt/);

    await calls.post('/api/verify-email', { token: await calls.linkTo(user, 'change_email', move.email) });
    expect(await leaving(user)).not.toContain('email_changed');
  });

  it('sends at most 5 emails of a kind per hour to a confirmed address, and still performs the actions', async () => {
    const user = await gateway.signUp();
    await calls.change(user, { emailVerified: true });
    for (let time = 0; time < 7; time += 1) expect(await askAndKeep(user)).toEqual([202, 200]);
    const asked = async () => (await leaving(user)).filter((mail) => mail === 'deletion_asked').length;
    expect(await asked()).toBe(5);
    await calls.ageMails(user, 60 * 60 + 1);
    await askAndKeep(user);
    expect(await asked()).toBe(6);
  });

  it('sends at most 3 links per hour to an address that other accounts request', async () => {
    const email = freshEmail();
    const users = await Promise.all(Array.from({ length: 5 }, () => gateway.signUp()));
    const answers = [];
    for (const [index, user] of users.entries()) {
      const named = [email, email.toUpperCase(), email.replace('@', `+${index}@`)][index % 3];
      answers.push(await calls.postAs(user, '/api/user/email', { email: named, password: user.password }));
    }
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(202));
    const named = await Promise.all(users.map(leaving));
    expect(named.flat().filter((mail) => mail === 'confirm_new_email')).toHaveLength(3);
    const counted = await gateway.ctx.db.selectFrom('attempts').select('subject').execute();
    expect(JSON.stringify(counted)).not.toContain(email);
  });
});
