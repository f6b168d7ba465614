import { type MailName, mailSchema } from '@uprez/contracts/schemas/mails';
import { accountResponses } from '@uprez/contracts/texts/answers';
import type { UsersTable } from '@uprez/db/tables/account-tables';
import { fileFixture } from '@uprez/testing/fixtures';
import { findMailLink, listMails, type TestMail, waitForMail } from '@uprez/testing/mail';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { totpCode } from '@uprez/testing/totp-code';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql, type Updateable } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { freshEmail } from '../support/accounts/accounts.ts';
import { type Answer, type Browser, openBrowser } from '../support/accounts/open-browser.ts';
import { readZip } from '../support/http/read-zip.ts';
import { startFullProduct } from '../support/start-full-product.ts';

/** Runs one account from sign-up to deletion in the running product. Each test continues from the previous one. */
let home: Browser;
let away: Browser;
let stranger: Browser;
const full = fileFixture(() => startFullProduct({ services: ['gateway', 'worker', 'dispatcher'], knowsServer: true }));
beforeAll(async () => {
  [home, away, stranger] = [openHere(), openHere(), openHere()];
});

const openHere = () => openBrowser(full.product.url);
const [firstEmail, newEmail] = [freshEmail(), freshEmail()];
const [firstPassword, secondPassword, thirdPassword] = ['the first password', 'the second password', 'the third one'];
let userId: string;
let secret: string;
let jobId: string;

/** How often each email is sent, and to which address. A new email without an entry is a type error. */
const expected: { [Name in MailName]: { subject: string; first?: number; second?: number } } = {
  welcome: { subject: 'Welcome to Uprez', first: 1 },
  verify_email: { subject: 'Confirm your email address for Uprez', first: 1 },
  two_factor_changed: { subject: 'Two-factor authentication is on for your Uprez account', first: 1 },
  new_device: { subject: 'New sign-in to your Uprez account', first: 1, second: 1 },
  reset_password: { subject: 'Reset your Uprez password', first: 2 },
  password_changed: { subject: 'Your Uprez password was changed', first: 2 },
  email_change_asked: { subject: 'Email change requested for your Uprez account', first: 1 },
  confirm_new_email: { subject: 'Confirm your new email address for Uprez', second: 1 },
  email_changed: { subject: 'Your Uprez email address was changed', first: 1 },
  passkey_changed: { subject: 'A passkey was added to your Uprez account' },
  api_key_created: { subject: 'New API key for your Uprez account' },
  webhook_failing: { subject: 'Webhook deliveries are failing for your Uprez account' },
  webhook_disabled: { subject: 'A webhook endpoint was disabled for your Uprez account' },
  anomalies: { subject: 'Unusual activity on Uprez' },
  email_settings_changing: { subject: 'The email settings of Uprez are changing' },
  export_ready: { subject: 'Your Uprez data is ready to download', second: 1 },
  quota_warning: { subject: "You've used " },
  batch_ended: { subject: 'Your Uprez batch is done' },
  invitation: { subject: "You're invited to " },
  checkout_link: { subject: 'Subscribe to Uprez ' },
  plan_subscribed: { subject: "You're subscribed to Uprez " },
  plan_changed: { subject: 'Your Uprez plan was changed to ' },
  plan_canceled: { subject: 'Your Uprez Pro plan was canceled' },
  plan_ended: { subject: 'Your Uprez Pro plan has ended' },
  plan_paused: { subject: 'Your Uprez Pro plan was paused' },
  plan_resumed: { subject: 'Your Uprez Pro plan was resumed' },
  payment_failed: { subject: 'Payment failed for your Uprez Pro plan' },
  payment_action_needed: { subject: 'Confirm the payment for your Uprez Pro plan' },
  payment_recovered: { subject: 'Payment received for your Uprez Pro plan' },
  payment_refunded: { subject: 'Your Uprez payment was refunded' },
  card_expiring: { subject: 'The card for your Uprez plan expires soon' },
  renewal_ahead: { subject: 'Your Uprez Pro plan renews on ' },
  lead: { subject: 'Uprez Enterprise inquiry from ' },
  ticket_opened: { subject: 'New message #' },
  ticket_received: { subject: 'We received your message' },
  ticket_reply: { subject: 'Re: ' },
  confirm_subscription: { subject: 'Confirm your subscription to ' },
  campaign_test: { subject: '[Test] ' },
  deletion_asked: { subject: 'Your Uprez account will be deleted on ', second: 2 },
  account_deleted: { subject: 'Your Uprez account was deleted', second: 1 },
};
const mail = (to: string, name: MailName): Promise<TestMail> => waitForMail(full.mailUrl, to, expected[name].subject);
/** Waits for the given number of emails of a kind and returns the newest. */
const nthMail = (to: string, name: MailName, count: number): Promise<TestMail> =>
  waitUntil(
    async () => {
      const came = await listMails(full.mailUrl, to);
      const named = came.filter(({ subject }) => subject.startsWith(expected[name].subject));
      return named.length === count && named[0];
    },
    { what: `mail ${count} of ${name}` },
  );
const tokenOf = (letter: TestMail, pathname: string) => {
  const link = findMailLink(letter);
  expect(`${link.origin}${link.pathname}`).toBe(`http://images.example${pathname}`);
  return link.searchParams.get('token') ?? '';
};

const short = ({ status, code }: Answer) => (code === null ? status : `${status} ${code}`);
const whoAmI = async (browser: Browser) => {
  const answer = await browser.call('GET', '/api/user');
  return answer.status === 200 ? (answer.body as { email: string }).email : short(answer);
};
const changeUser = (values: Updateable<UsersTable>) =>
  full.product.db.updateTable('users').set(values).where('id', '=', userId).execute();
/** Returns a valid code even when the current one was used. */
const code = async () => {
  await changeUser({ twoFactorStep: 0 });
  return totpCode(secret);
};
const logIn = async (browser: Browser, email: string, password: string) =>
  browser.call('POST', '/api/login', { email, password, code: await code() });
const guess = (browser: Browser, password: string) =>
  browser.call('POST', '/api/login', { email: firstEmail, password });
/** Ages the emails by a minute so that another one can be requested. */
const passMinute = () =>
  full.product.db
    .updateTable('outbox')
    .set({ createdAt: sql<Date>`created_at - interval '61 seconds'` })
    .where('userId', '=', userId)
    .execute();

async function resetTo(newPassword: string, time: number): Promise<Answer> {
  const browser = openHere();
  expect((await browser.call('POST', '/api/forgot-password', { email: firstEmail })).body).toEqual({
    message: accountResponses.resetAsked,
  });
  const letter = await nthMail(firstEmail, 'reset_password', time);
  return browser.call('POST', '/api/reset-password', { token: tokenOf(letter, '/reset-password'), newPassword });
}

it('signs up, accepts the terms, and confirms the email address', async () => {
  const answer = await home.call('POST', '/api/register', {
    email: firstEmail,
    password: firstPassword,
    firstName: 'Ada',
    acceptTerms: true,
  });
  expect(answer).toMatchObject({ status: 201, body: { email: firstEmail, firstName: 'Ada', emailVerified: false } });
  userId = (answer.body as { id: string }).id;
  expect((await mail(firstEmail, 'welcome')).text).toContain('Hello,');
  const token = tokenOf(await mail(firstEmail, 'verify_email'), '/verify-email');
  const verified = await stranger.call('POST', '/api/verify-email', { token });
  expect(verified).toMatchObject({ status: 200, body: { message: accountResponses.emailConfirmed } });
  expect((await home.call('GET', '/api/user')).body).toMatchObject({ emailVerified: true, twoFactorEnabled: false });
});

it('stores the password as an argon2id hash with 19 MiB and 2 passes', async () => {
  const row = full.product.db.selectFrom('users').select('passwordHash').where('id', '=', userId);
  const { passwordHash } = await row.executeTakeFirstOrThrow();
  expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

it('enables two-factor sign-in, and signs in on another device with a code', async () => {
  const setup = await home.call('POST', '/api/2fa/setup', { password: firstPassword });
  secret = (setup.body as { secret: string }).secret;
  const enabled = await home.call('POST', '/api/2fa/enable', { code: totpCode(secret) });
  expect((enabled.body as { recoveryCodes: string[] }).recoveryCodes).toHaveLength(10);
  expect((await mail(firstEmail, 'two_factor_changed')).text).toContain('turned on');
  expect(short(await guess(away, firstPassword))).toBe('401 two_factor_required');
  expect(await logIn(away, firstEmail, firstPassword)).toMatchObject({ status: 200, body: { twoFactorEnabled: true } });
  expect((await mail(firstEmail, 'new_device')).text).toContain('from a new device');
  expect(((await home.call('GET', '/api/sessions')).body as object[]).length).toBe(2);
});

it('resets the password by email, which ends all sessions', async () => {
  expect(await resetTo(secondPassword, 1)).toMatchObject({
    status: 200,
    body: { message: accountResponses.passwordReset },
  });
  expect([await whoAmI(home), await whoAmI(away)]).toEqual(['401 not_signed_in', '401 not_signed_in']);
  expect(short(await logIn(home, firstEmail, firstPassword))).toBe('401 bad_credentials');
  await mail(firstEmail, 'password_changed');
});

it('is locked by wrong guesses, except on known devices, until the password is reset', async () => {
  const guesses: (string | number)[] = [];
  for (let count = 0; count < 5; count += 1) guesses.push(short(await guess(stranger, `guess ${count}`)));
  expect(guesses).toEqual(Array(5).fill('401 bad_credentials'));
  const newDevice = openHere();
  for (const refused of [await guess(stranger, 'another guess'), await logIn(newDevice, firstEmail, secondPassword)]) {
    expect(short(refused)).toBe('429 too_many_attempts');
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(15 * 60);
  }
  expect(await logIn(home, firstEmail, secondPassword)).toMatchObject({ status: 200, body: { id: userId } });
  await passMinute();
  expect((await resetTo(thirdPassword, 2)).status).toBe(200);
  expect(await logIn(away, firstEmail, thirdPassword)).toMatchObject({ status: 200, body: { id: userId } });
  expect((await logIn(home, firstEmail, thirdPassword)).status).toBe(200);
  await nthMail(firstEmail, 'password_changed', 2);
});

it('changes the email address, with the link to the new one and notices to the old one', async () => {
  const asked = await home.call('POST', '/api/user/email', {
    email: newEmail,
    password: thirdPassword,
    code: await code(),
  });
  expect(asked).toMatchObject({ status: 202, body: { message: accountResponses.emailChangeAsked } });
  const token = tokenOf(await mail(newEmail, 'confirm_new_email'), '/verify-email');
  await mail(firstEmail, 'email_change_asked');
  expect(await whoAmI(home)).toBe(firstEmail);
  expect((await stranger.call('POST', '/api/verify-email', { token })).status).toBe(200);
  await mail(firstEmail, 'email_changed');
  expect([await whoAmI(home), await whoAmI(away)]).toEqual([newEmail, newEmail]);
  const newDevice = openHere();
  expect(short(await logIn(newDevice, firstEmail, thirdPassword))).toBe('401 bad_credentials');
  expect((await logIn(newDevice, newEmail, thirdPassword)).status).toBe(200);
  await mail(newEmail, 'new_device');
});

it('processes an image, and exports all data in one archive', async () => {
  const form = imageForm(await makeImage({ width: 8, height: 6 }), { scaleFactor: '2', engine: 'standard' });
  const made = await home.fetch('/api/images/process', { method: 'POST', body: form });
  expect(made.status).toBe(200);
  const job = (await made.json()) as { id: string; downloadUrl: string };
  jobId = job.id;
  const image = Buffer.from(await (await home.fetch(job.downloadUrl)).arrayBuffer());

  const asked = await home.call('POST', '/api/user/export', { password: thirdPassword, code: await code() });
  expect(asked).toMatchObject({ status: 202, body: { status: 'waiting' } });
  await mail(newEmail, 'export_ready');
  const listed = (await home.call('GET', '/api/user/export')).body as { status: string; downloadUrl: string }[];
  expect(listed).toMatchObject([{ status: 'done', downloadUrl: expect.any(String) }]);
  const downloaded = await home.fetch(listed[0]?.downloadUrl ?? '');
  const files = readZip(Buffer.from(await downloaded.arrayBuffer()));
  const json = (name: string) => JSON.parse(String(files.get(name)));
  expect([...files.keys()].filter((name) => name.includes('/'))).toEqual([`images/${jobId}.png`]);
  expect(files.get(`images/${jobId}.png`)?.equals(image)).toBe(true);
  expect(json('profile.json')).toMatchObject({ email: newEmail, firstName: 'Ada', emailVerified: true });
  expect(json('profile.json').acceptedTerms).toMatchObject([{ version: 1, acceptedAt: expect.any(String) }]);
  expect(json('jobs.json')).toMatchObject([{ id: jobId, filename: 'photo.png', status: 'completed' }]);
  expect(json('ledger.json')).toMatchObject([
    { kind: 'grant' },
    { kind: 'grant' },
    { kind: 'reserve' },
    { kind: 'settle' },
  ]);
  expect(json('sessions.json').sessions).toHaveLength(3);
});

const countStored = async () => {
  let stored = 0;
  for await (const _ of full.product.storage.list('')) stored += 1;
  return stored;
};
const askToEnd = async () => home.call('DELETE', '/api/user', { password: thirdPassword, code: await code() });

it('schedules its deletion, cancels it, and is deleted in the end', async () => {
  expect(await askToEnd()).toMatchObject({ status: 202, body: { deletesAt: expect.any(String) } });
  expect(await whoAmI(away)).toBe('401 not_signed_in');
  await mail(newEmail, 'deletion_asked');
  expect(await home.call('POST', '/api/user/keep')).toMatchObject({ status: 200, body: { deletesAt: null } });
  expect((await askToEnd()).status).toBe(202);
  // Emails still queued when the account is deleted are not sent.
  await nthMail(newEmail, 'deletion_asked', 2);
  expect(await countStored()).toBeGreaterThanOrEqual(3);

  await changeUser({ deletesAt: new Date(Date.now() - 1_000) });
  await waitUntil(async () => (await whoAmI(home)) === '401 not_signed_in', { what: 'the deletion of the account' });
  for (const email of [firstEmail, newEmail])
    expect(short(await stranger.call('POST', '/api/login', { email, password: thirdPassword }))).toBe(
      '401 bad_credentials',
    );
  expect((await mail(newEmail, 'account_deleted')).text).toContain('Hello Ada,');
  await waitUntil(async () => (await countStored()) === 0, { what: 'the deletion of all bytes' });
  await full.product.settle(20_000);
});

it('sends each email the expected number of times', async () => {
  expect(Object.keys(expected).sort()).toEqual(mailSchema.options.map(({ shape }) => shape.mail.value).sort());
  const count = async (to: string) => {
    const came = await listMails(full.mailUrl, to);
    const named = Object.entries(expected).map(([name, { subject }]) => {
      const times = came.filter((letter) => letter.subject.startsWith(subject)).length;
      return [name, times] as const;
    });
    expect(named.reduce((sum, [, times]) => sum + times, 0)).toBe(came.length);
    return Object.fromEntries(named.filter(([, times]) => times > 0));
  };
  const wanted = (address: 'first' | 'second') =>
    Object.fromEntries(Object.entries(expected).flatMap(([name, row]) => (row[address] ? [[name, row[address]]] : [])));
  const waiting = full.product.db.selectFrom('outbox').select('id').where('sentAt', 'is', null);
  await waitUntil(async () => (await waiting.execute()).length === 0, { what: 'all emails to be sent' });
  expect(await count(firstEmail)).toEqual(wanted('first'));
  expect(await count(newEmail)).toEqual(wanted('second'));
});

it('logs nothing above info in any service, from its start to the end of the journey', () => {
  const lines = full.product.services.flatMap((service) => service.lines);
  expect(lines.filter((line) => line.includes('operator endpoints are up'))).toHaveLength(3);
  // This product has no networks, which the worker reports.
  const isUnexpected = (line: string) => !/"level":(20|30),/.test(line) && !line.includes('models:pull');
  expect(lines.filter(isUnexpected)).toEqual([]);
});
