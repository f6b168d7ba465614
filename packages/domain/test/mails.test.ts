import { createHash } from 'node:crypto';
import type { Mail, MailName } from '@uprez/contracts/schemas/mails';
import { deleteExpiredAccountTokens } from '@uprez/db/queries/accounts/account-tokens';
import { lockUser } from '@uprez/db/queries/accounts/users';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { deleteOldOutbox, deleteWaitingMails } from '@uprez/db/queries/mails/outbox';
import { queueMail } from '@uprez/domain/mails/queue-mail';
import { makeMailSender } from '@uprez/domain/mails/send-mails';
import { smtpPurpose } from '@uprez/domain/settings/open-settings';
import { findMailLink, listMails, openMailCatcher, waitForMail } from '@uprez/testing/mail';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

type Catcher = Awaited<ReturnType<typeof openMailCatcher>>;
const publicUrl = 'https://images.example';
const at = '2026-11-21T09:05:00.000Z';
let ctx: TestContext;
let catcher: Catcher;
let told: string[];

beforeAll(async () => {
  ctx = await openTestContext();
  catcher = await openMailCatcher({ reject: (address) => (address.startsWith('gone-') ? 550 : undefined) });
});
afterAll(async () => {
  await catcher.close();
  await ctx.close();
});
beforeEach(async () => {
  told = [];
  await ctx.db.deleteFrom('outbox').execute();
  await setServer(catcher);
});

/** Sets the mail server, as an administrator does. */
async function setServer({ env }: Pick<Catcher, 'env'>, more: Record<string, unknown> = {}): Promise<void> {
  await upsertSettings(ctx.db, 'email', {
    smtpHost: env.SMTP_HOST,
    smtpPort: Number(env.SMTP_PORT),
    smtpUser: env.SMTP_USER,
    smtpPassword: ctx.vault.seal(env.SMTP_PASSWORD, smtpPurpose),
    smtpSecure: false,
    ...more,
  });
  ctx.settings.forget('email');
}

const note = (facts: object, message: string) => void told.push(JSON.stringify({ ...facts, message }));
const makeSender = () => makeMailSender({ ...ctx, log: { info: note, warn: note, error: note } }, publicUrl);
const send = () => makeSender()();
const rows = () => ctx.db.selectFrom('outbox').selectAll().orderBy('id').execute();
const makeDue = () => ctx.db.updateTable('outbox').set({ notBefore: sql<Date>`now()` }).execute();

async function makeReader(firstName = 'Ada'): Promise<{ id: string; email: string }> {
  const { accountId: id } = await makeUser(ctx.db);
  const email = `${id}@example.test`;
  await ctx.db.updateTable('users').set({ firstName, batchEmails: true }).where('id', '=', id).execute();
  return { id, email };
}

const otherTo = 'other@example.test';
const money = { amount: 350, currency: 'usd' };
const pro = { tier: 'pro', interval: 'month' } as const;
/** Others have tests of their own: they are for people without an account, or are written by people. */
type Other = 'invitation' | 'confirm_subscription' | 'campaign_test' | 'email_settings_changing' | `ticket_${string}`;
type UserMail = Exclude<MailName, Other>;
const mails: { [Name in UserMail]: Extract<Mail, { mail: Name }> } = {
  welcome: { mail: 'welcome' },
  verify_email: { mail: 'verify_email' },
  reset_password: { mail: 'reset_password' },
  password_changed: { mail: 'password_changed', at },
  confirm_new_email: { mail: 'confirm_new_email', to: otherTo },
  email_change_asked: { mail: 'email_change_asked', newEmail: 'new@example.test' },
  email_changed: { mail: 'email_changed', to: otherTo, newEmail: 'new@example.test' },
  new_device: { mail: 'new_device', userAgent: 'Firefox/143.0 (Linux)', address: '203.0.113.7', at },
  two_factor_changed: { mail: 'two_factor_changed', isOn: true, at },
  passkey_changed: { mail: 'passkey_changed', name: 'My phone', isAdded: true, at },
  api_key_created: { mail: 'api_key_created', name: 'CI', preview: 'upz_live_1234...wxyz', at },
  webhook_failing: { mail: 'webhook_failing', url: 'https://hooks.example/', says: 'It did not answer.', at },
  webhook_disabled: { mail: 'webhook_disabled', url: 'https://hooks.example/', reason: 'gone', at },
  export_ready: { mail: 'export_ready', expiresAt: at },
  quota_warning: { mail: 'quota_warning', share: 80, meter: 'ai', included: 10, left: 2, goesOn: false, resetsAt: at },
  batch_ended: { mail: 'batch_ended', completed: 38, failed: 2 },
  checkout_link: { mail: 'checkout_link', to: otherTo, tier: 'enterprise', interval: 'year', ...money },
  plan_subscribed: { mail: 'plan_subscribed', ...pro, ...money, tax: 32, nextAt: at },
  plan_changed: { mail: 'plan_changed', from: pro, ...pro, price: 900, ...money, tax: 0, nextAt: at },
  plan_canceled: { mail: 'plan_canceled', tier: 'pro', endsAt: at },
  plan_ended: { mail: 'plan_ended', tier: 'pro', reason: 'unpaid' },
  plan_paused: { mail: 'plan_paused', tier: 'pro', from: at, until: at },
  plan_resumed: { mail: 'plan_resumed', tier: 'pro', nextAt: at },
  payment_failed: { mail: 'payment_failed', tier: 'pro', ...money, retryAt: at, endsAt: at },
  payment_action_needed: { mail: 'payment_action_needed', tier: 'pro', ...money, endsAt: at },
  payment_recovered: { mail: 'payment_recovered', tier: 'pro', ...money, tax: 0, nextAt: at },
  payment_refunded: { mail: 'payment_refunded', ...money, paid: 700, removed: [{ units: 10, meter: 'ai' }] },
  card_expiring: { mail: 'card_expiring', brand: 'visa', last4: '4242', month: 12, year: 2026 },
  renewal_ahead: { mail: 'renewal_ahead', tier: 'pro', ...money, at },
  anomalies: {
    mail: 'anomalies',
    anomalies: [
      { rule: 'failures', account: null, key: null, address: '203.0.113.7', country: null, count: 20, median: null },
    ],
    more: 1,
  },
  deletion_asked: { mail: 'deletion_asked', deletesAt: at },
  lead: {
    mail: 'lead',
    to: otherTo,
    ...{ name: 'Grace', email: 'grace@example.test', company: 'Navy', volume: '10,000', message: 'We need more.' },
  },
  account_deleted: { mail: 'account_deleted', to: otherTo, firstName: 'Ada' },
};
const subjects: { [Name in UserMail]: string } = {
  welcome: 'Welcome to Uprez',
  verify_email: 'Confirm your email address for Uprez',
  reset_password: 'Reset your Uprez password',
  password_changed: 'Your Uprez password was changed',
  confirm_new_email: 'Confirm your new email address for Uprez',
  email_change_asked: 'Email change requested for your Uprez account',
  email_changed: 'Your Uprez email address was changed',
  new_device: 'New sign-in to your Uprez account',
  two_factor_changed: 'Two-factor authentication is on for your Uprez account',
  passkey_changed: 'A passkey was added to your Uprez account',
  api_key_created: 'New API key for your Uprez account',
  webhook_failing: 'Webhook deliveries are failing for your Uprez account',
  webhook_disabled: 'A webhook endpoint was disabled for your Uprez account',
  export_ready: 'Your Uprez data is ready to download',
  quota_warning: "You've used 80% of your Uprez quota",
  batch_ended: 'Your Uprez batch is done',
  checkout_link: 'Subscribe to Uprez Enterprise',
  plan_subscribed: "You're subscribed to Uprez Pro",
  plan_changed: 'The price of your Uprez Pro plan was changed',
  plan_canceled: 'Your Uprez Pro plan was canceled',
  plan_ended: 'Your Uprez Pro plan has ended',
  plan_paused: 'Your Uprez Pro plan was paused',
  plan_resumed: 'Your Uprez Pro plan was resumed',
  payment_failed: 'Payment failed for your Uprez Pro plan',
  payment_action_needed: 'Confirm the payment for your Uprez Pro plan',
  payment_recovered: 'Payment received for your Uprez Pro plan',
  payment_refunded: 'Your Uprez payment was refunded',
  card_expiring: 'The card for your Uprez plan expires soon',
  renewal_ahead: 'Your Uprez Pro plan renews on November 21, 2026',
  anomalies: 'Unusual activity on Uprez',
  deletion_asked: 'Your Uprez account will be deleted on November 21, 2026',
  lead: 'Uprez Enterprise inquiry from Grace',
  account_deleted: 'Your Uprez account was deleted',
};
const links: Partial<Record<MailName, { path: string; kind: string }>> = {
  verify_email: { path: '/verify-email', kind: 'verify' },
  confirm_new_email: { path: '/verify-email', kind: 'change_email' },
  reset_password: { path: '/reset-password', kind: 'reset' },
};
test.each(Object.values(mails))('$mail is sent as HTML and plain text with absolute links', async (mail) => {
  const user = await makeReader();
  await queueMail(ctx.db, user.id, mail);
  expect(await send()).toBe(1);
  const to = 'to' in mail ? mail.to : user.email;
  const { subject, text, html } = await waitForMail(catcher.url, to, subjects[mail.mail]);
  expect(subject).toBe(subjects[mail.mail]);
  for (const words of [text, html]) {
    // Only emails to the account's own address and the deletion notice contain the name.
    expect(words).toContain(to === user.email || mail.mail === 'account_deleted' ? 'Hello Ada,' : 'Hello,');
    for (const [url] of words.matchAll(/https?:\/\/[^\s"<]+/g))
      expect(url).toMatch(/^https:\/\/images\.example|^http:\/\/www\.w3\.org\/TR\/xhtml1/);
    expect(words).toContain(publicUrl);
  }
  expect(html).not.toMatch(/<img|<script|src=/);
  const link = links[mail.mail];
  if (!link) return expect(text).not.toContain('token=');
  const url = findMailLink({ text });
  expect(url.origin + url.pathname).toBe(publicUrl + link.path);
  expect(html).toContain(`href="${url.href}"`);
  const token = url.searchParams.get('token') ?? '';
  expect(token).toMatch(/^[\w-]{43}$/);
  const stored = await ctx.db.selectFrom('accountTokens').selectAll().where('userId', '=', user.id).execute();
  expect(stored).toMatchObject([{ kind: link.kind, email: to }]);
  expect(stored[0]?.tokenHash).toEqual(createHash('sha256').update(token).digest());
});

test('sent emails keep no email address, and tokens are stored only as hashes', async () => {
  const user = await makeReader();
  await queueMail(ctx.db, user.id, mails.email_changed);
  await queueMail(ctx.db, user.id, mails.reset_password);
  expect(await send()).toBe(2);
  const all = await rows();
  expect(all.map(({ payload }) => payload)).toEqual([{ mail: 'email_changed' }, { mail: 'reset_password' }]);
  expect(all.every(({ sentAt, attempts }) => sentAt !== null && attempts === 1)).toBe(true);
  expect(JSON.stringify(all)).not.toContain('@');
  expect(await send()).toBe(0);
});

test('a newer link of a kind invalidates the previous one', async () => {
  const user = await makeReader();
  for (let index = 0; index < 2; index += 1) {
    await queueMail(ctx.db, user.id, mails.reset_password);
    await send();
  }
  const [newest] = await listMails(catcher.url, user.email);
  const token = newest && findMailLink(newest).searchParams.get('token');
  const stored = await ctx.db.selectFrom('accountTokens').selectAll().where('userId', '=', user.id).execute();
  expect(stored.map(({ tokenHash }) => tokenHash)).toEqual([
    createHash('sha256')
      .update(token ?? '')
      .digest(),
  ]);
});

test("an email to an unconfirmed address does not contain the user's name", async () => {
  const user = await makeReader('Please call us');
  await ctx.db.updateTable('users').set({ emailVerified: false }).where('id', '=', user.id).execute();
  await queueMail(ctx.db, user.id, mails.verify_email);
  expect(await send()).toBe(1);
  const { text, html } = await waitForMail(catcher.url, user.email);
  for (const words of [text, html]) expect(words).not.toContain('call us');
});

test('names and devices in an email contain no markup and no links', async () => {
  const user = await makeReader('<a href="http://evil.example">Win</a> www.evil.example');
  await queueMail(ctx.db, user.id, {
    mail: 'new_device',
    userAgent: '<img src=x>Firefox/1 evil.example',
    address: '<b>',
    at,
  });
  await queueMail(ctx.db, user.id, { mail: 'email_change_asked', newEmail: '<i>x@evil.example' });
  expect(await send()).toBe(2);
  for (const { subject, text, html } of await listMails(catcher.url, user.email)) {
    for (const words of [subject, text, html]) expect(words).not.toContain('evil.example');
    expect(html).not.toMatch(/<img|<b>|<i>x|href="http:/);
    if (subject.includes('Email change')) expect(html).toContain('&lt;i&gt;x');
  }
});

test('a failed email is sent when the server is available again', async () => {
  const user = await makeReader();
  await setServer(catcher, { smtpPort: 1 });
  await queueMail(ctx.db, user.id, mails.password_changed);
  expect(await send()).toBe(0);
  const [waiting] = await rows();
  expect(waiting).toMatchObject({ attempts: 1, sentAt: null, failedAt: null, payload: mails.password_changed });
  expect(waiting?.notBefore.getTime()).toBeGreaterThan(Date.now() + 5_000);
  expect(await send()).toBe(0);
  await setServer(catcher);
  await makeDue();
  expect(await send()).toBe(1);
  expect(await listMails(catcher.url, user.email)).toHaveLength(1);
});

test('each retry delay is longer, and the tenth failure is final, without email addresses in logs and rows', async () => {
  const user = await makeReader();
  await setServer(catcher, { smtpPassword: ctx.vault.seal('wrong', smtpPurpose) });
  await queueMail(ctx.db, user.id, mails.email_changed);
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await makeDue();
    await send();
    const { rows: found } = await sql<{ wait: number }>`
      select extract(epoch from not_before - now())::double precision as wait from outbox`.execute(ctx.db);
    waits.push(found[0]?.wait ?? 0);
  }
  for (const [index, wait] of waits.slice(0, 9).entries()) {
    expect(wait).toBeLessThanOrEqual(10 * 2 ** index);
    expect(wait).toBeGreaterThan(7 * 2 ** index);
  }
  const [row] = await rows();
  expect(row).toMatchObject({
    attempts: 10,
    payload: { mail: 'email_changed' },
    lastError: expect.stringContaining('EAUTH'),
  });
  expect(row?.failedAt).not.toBeNull();
  expect(told).toHaveLength(10);
  expect(JSON.stringify([told, row])).not.toMatch(/@example/);
});

test('a recipient rejected by the server fails the email immediately', async () => {
  const user = await makeReader();
  await queueMail(ctx.db, user.id, { ...mails.email_changed, to: 'gone-ada@example.test' });
  expect(await send()).toBe(0);
  const [row] = await rows();
  expect(row).toMatchObject({
    attempts: 1,
    payload: { mail: 'email_changed' },
    lastError: expect.stringContaining('550'),
  });
  expect(row?.failedAt).not.toBeNull();
  expect(row?.lastError).not.toContain('@');
});

test('concurrent senders send each email once', async () => {
  const readers = await Promise.all(Array.from({ length: 12 }, () => makeReader()));
  for (const { id } of readers) await queueMail(ctx.db, id, mails.password_changed);
  const counts = await Promise.all(Array.from({ length: 3 }, send));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12);
  for (const { email } of readers) expect(await listMails(catcher.url, email)).toHaveLength(1);
});

test('an email of a crashed sender is sent by the next one, up to the attempt limit', async () => {
  const user = await makeReader();
  await queueMail(ctx.db, user.id, mails.password_changed);
  await ctx.db.updateTable('outbox').set({ attempts: 3, notBefore: sql<Date>`now() - interval '1 second'` }).execute();
  expect(await send()).toBe(1);
  await queueMail(ctx.db, user.id, mails.password_changed);
  await ctx.db.updateTable('outbox').set({ attempts: 10 }).where('sentAt', 'is', null).execute();
  expect(await send()).toBe(0);
  expect((await rows()).at(-1)?.lastError).toBe('the attempts are used up');
});

test('emails wait while no server is configured, with one warning, and are sent later', async () => {
  const user = await makeReader();
  await setServer(catcher, { smtpHost: '' });
  const sender = makeSender();
  await sender();
  expect(told).toEqual([]);
  await queueMail(ctx.db, user.id, mails.welcome);
  await sender();
  await sender();
  expect(told).toHaveLength(1);
  expect(await rows()).toMatchObject([{ attempts: 0, sentAt: null, failedAt: null }]);
  await setServer(catcher);
  expect(await sender()).toBe(1);
});

test('disabled emails are not sent, except security emails', async () => {
  const user = await makeReader();
  await setServer(catcher, { welcomeEmailEnabled: false, notificationEmailEnabled: false });
  for (const mail of [mails.welcome, mails.export_ready, mails.new_device]) await queueMail(ctx.db, user.id, mail);
  expect(await send()).toBe(1);
  const came = await listMails(catcher.url, user.email);
  expect(came.map(({ subject }) => subject)).toEqual([subjects.new_device]);
});

test('an email about a deleted account fails unless it has its own recipient', async () => {
  const user = await makeReader();
  const farewell = `${user.id}@elsewhere.test`;
  await queueMail(ctx.db, user.id, mails.reset_password);
  await queueMail(ctx.db, user.id, { mail: 'account_deleted', to: farewell, firstName: null });
  await ctx.db.deleteFrom('users').where('id', '=', user.id).execute();
  expect(await send()).toBe(1);
  expect((await waitForMail(catcher.url, farewell)).text).toMatch(/^Hello,/);
  expect((await rows())[0]).toMatchObject({ lastError: 'the account is gone', sentAt: null });
});

test('emails use the site name of the settings, which cannot add headers', async () => {
  const user = await makeReader();
  const site = await ctx.settings.read('site');
  await upsertSettings(ctx.db, 'site', { ...site, siteName: 'Big\r\nBcc: victim@example.test <b>' });
  ctx.settings.forget('site');
  await queueMail(ctx.db, user.id, mails.welcome);
  await send();
  const { subject, html } = await waitForMail(catcher.url, user.email);
  expect(subject).toBe('Welcome to Big Bcc: victim@example.test <b>');
  expect(html).not.toContain('<b>');
  expect(await listMails(catcher.url, 'victim@example.test')).toEqual([]);
  await upsertSettings(ctx.db, 'site', {});
  ctx.settings.forget('site');
});

test('sent and failed emails are deleted after a while, queued ones never', async () => {
  const user = await makeReader();
  await queueMail(ctx.db, user.id, mails.welcome);
  await send();
  await queueMail(ctx.db, user.id, mails.password_changed);
  await ctx.db.updateTable('outbox').set({ createdAt: sql<Date>`now() - interval '40 days'` }).execute();
  expect(await deleteOldOutbox(ctx.db, 86_400)).toBe(0);
  await ctx.db.updateTable('outbox').set({ sentAt: sql<Date>`sent_at - interval '2 days'` }).execute();
  expect(await deleteOldOutbox(ctx.db, 86_400)).toBe(1);
  expect(await rows()).toMatchObject([{ payload: mails.password_changed }]);
});

test('expired links are deleted with their email addresses', async () => {
  const user = await makeReader();
  await queueMail(ctx.db, user.id, mails.verify_email);
  await queueMail(ctx.db, user.id, mails.reset_password);
  await send();
  const mine = ctx.db.selectFrom('accountTokens').select('kind').where('userId', '=', user.id);
  await ctx.db
    .updateTable('accountTokens')
    .set({ expiresAt: sql<Date>`now() - interval '1 second'` })
    .where('kind', '=', 'reset')
    .execute();
  await deleteExpiredAccountTokens(ctx.db);
  expect(await mine.execute()).toEqual([{ kind: 'verify' }]);
});

test('an email canceled while it waits for a lock creates no link', async () => {
  const user = await makeReader();
  await queueMail(ctx.db, user.id, mails.reset_password);
  const sending = ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, user.id);
    const sent = send();
    await waitUntil(async () => (await rows())[0]?.attempts === 1);
    await deleteWaitingMails(tx, user.id, ['reset_password']);
    return { sent };
  });
  expect(await (await sending).sent).toBe(0);
  expect(await listMails(catcher.url, user.email)).toEqual([]);
  expect(await ctx.db.selectFrom('accountTokens').select('kind').where('userId', '=', user.id).execute()).toEqual([]);
});
