import { newsletterLimits } from '@uprez/contracts/policy/newsletter';
import { type SubscribeBody, subscribeBodySchema } from '@uprez/contracts/schemas/newsletter/subscribers';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { deleteExpiredSubscriptions } from '@uprez/db/queries/newsletter/subscribers';
import { deleteDueAccounts } from '@uprez/domain/accounts/own-data/delete-account';
import { exportFiles } from '@uprez/domain/accounts/own-data/make-exports';
import { makeMailSender } from '@uprez/domain/mails/send-mails';
import {
  confirmSubscription,
  requestConfirmation,
  subscribe,
  unsubscribe,
  updateSubscription,
} from '@uprez/domain/newsletter/subscribers/subscription';
import { smtpPurpose } from '@uprez/domain/settings/open-settings';
import { makeSubscribers } from '@uprez/testing/factories/make-subscriber';
import { findMailLink, listMails, openMailCatcher } from '@uprez/testing/mail';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const publicUrl = 'https://images.example';
const email = 'ada@readers.example';
let ctx: TestContext;
let catcher: Awaited<ReturnType<typeof openMailCatcher>>;

beforeAll(async () => {
  ctx = await openTestContext();
});
afterAll(() => ctx.close());
beforeEach(async () => {
  for (const table of ['subscribers', 'outbox'] as const) await ctx.db.deleteFrom(table).execute();
  catcher = await openMailCatcher();
  const { env } = catcher;
  const server = { smtpHost: env.SMTP_HOST, smtpPort: Number(env.SMTP_PORT), smtpUser: env.SMTP_USER };
  const smtpPassword = ctx.vault.seal(env.SMTP_PASSWORD, smtpPurpose);
  await upsertSettings(ctx.db, 'email', { ...server, smtpPassword, smtpSecure: false });
  ctx.settings.forget('email');
  return () => catcher.close();
});

const parse = (more: Partial<SubscribeBody>) => subscribeBodySchema.parse({ email, topics: ['news'], ...more });
/** What the form does, without the time that it takes. */
const ask = (more: Partial<SubscribeBody> = {}) =>
  ctx.db.transaction().execute((tx) => requestConfirmation(tx, parse(more)));
/** Sends what is queued, and returns all emails to the subscriber, the newest first. */
async function mails() {
  await makeMailSender(ctx, publicUrl)();
  return await listMails(catcher.url, email);
}
async function newestToken(): Promise<string> {
  const [mail] = await mails();
  return (mail && findMailLink(mail).searchParams.get('token')) ?? '';
}
const row = () => ctx.db.selectFrom('subscribers').selectAll().executeTakeFirst();
const confirm = (token: string) => confirmSubscription(ctx, token);
const invalid = expect.objectContaining({ code: 'invalid_token' });

test('sends nothing but a link that confirms the subscription, once', async () => {
  await ask({ topics: ['news', 'status'], services: ['api'], source: 'blog' });
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Confirm your subscription to Uprez');
  expect(mail?.text).toContain('news and status notifications');
  expect(mail?.headers).not.toHaveProperty('list-unsubscribe');
  expect(await row()).toMatchObject({ state: 'pending', topics: [], source: 'blog' });
  const token = await newestToken();
  expect(mail && findMailLink(mail).pathname).toBe('/newsletter/confirm');
  const confirmed = { email, topics: ['news', 'status'], services: ['api'] };
  expect(await confirm(token)).toMatchObject(confirmed);
  expect(await row()).toMatchObject({ state: 'confirmed', tokenHash: null, expiresAt: null, wantedTopics: [] });
  for (const wrong of [token, 'forged', '']) await expect(confirm(wrong)).rejects.toEqual(invalid);
});

test('sends two links a day, and an older one no longer works', async () => {
  await ask();
  const first = await newestToken();
  await ask({ topics: ['status'] });
  await ask();
  expect(await mails()).toHaveLength(newsletterLimits.confirmationsPerDay);
  await expect(confirm(first)).rejects.toEqual(invalid);
  expect((await confirm(await newestToken())).topics).toEqual(['news', 'status']);
});

test('adds a topic to a subscription only after its owner confirms, and sends no link for what they get already', async () => {
  await ask();
  await confirm(await newestToken());
  await ask();
  expect(await mails()).toHaveLength(1);
  await ask({ topics: ['news', 'status'], services: ['web'] });
  expect(await row()).toMatchObject({ state: 'confirmed', topics: ['news'] });
  expect(await confirm(await newestToken())).toMatchObject({ topics: ['news', 'status'], services: ['web'] });
});

test('sends nothing to addresses that a mail server refused, and to bots', async () => {
  await subscribe(ctx, parse({ website: 'https://bots.example' }));
  expect(await row()).toBeUndefined();
  await ask();
  await mails();
  await ctx.db
    .updateTable('subscribers')
    .set({ state: 'bounced', wantedTopics: [], expiresAt: null, tokenHash: null, askedAt: [] })
    .execute();
  await ask();
  expect(await mails()).toHaveLength(1);
});

test('a link and a subscription that nobody confirmed expire; a confirmed one stays', async () => {
  const [reader] = await makeSubscribers(ctx.db, 1);
  await ask();
  await ask({ email: reader?.email ?? '', topics: ['status'] });
  const token = await newestToken();
  expect(await deleteExpiredSubscriptions(ctx.db)).toBe(0);
  await ctx.db.updateTable('subscribers').set({ expiresAt: sql<Date>`now() - interval '1 second'` }).execute();
  await expect(confirm(token)).rejects.toEqual(invalid);
  expect(await deleteExpiredSubscriptions(ctx.db)).toBe(2);
  const rows = await ctx.db.selectFrom('subscribers').selectAll().execute();
  expect(rows).toMatchObject([
    { id: reader?.id, state: 'confirmed', topics: ['news'], wantedTopics: [], expiresAt: null },
  ]);
});

test('who leaves keeps only an email address, and can come back by a new confirmation or the link', async () => {
  await ask({ topics: ['news', 'status'], services: ['api'] });
  const { token } = await confirm(await newestToken());
  expect(await unsubscribe(ctx, { token, topic: 'status' })).toEqual({ email, topics: ['news'], services: [] });
  for (let i = 0; i < 2; i += 1) expect(await unsubscribe(ctx, { token })).toEqual({ email, topics: [], services: [] });
  const nothing = { topics: [], services: [], source: null, confirmedAt: null, askedAt: [] };
  expect(await row()).toMatchObject({ state: 'unsubscribed', email, ...nothing });
  await ask();
  expect(await row()).toMatchObject({ state: 'unsubscribed', topics: [] });
  await confirm(await newestToken());
  expect(await row()).toMatchObject({ state: 'confirmed', topics: ['news'], endedAt: null });
  await unsubscribe(ctx, { token });
  await updateSubscription(ctx, { token, topics: ['status'], services: ['upload', 'api'] });
  expect(await row()).toMatchObject({ state: 'confirmed', topics: ['status'], services: ['api', 'upload'] });
});

test('own data contains the subscription of a confirmed address, which is deleted with the account', async () => {
  const { accountId } = await makeUser(ctx.db);
  const address = `${accountId}@example.test`;
  const setVerified = (emailVerified: boolean) =>
    ctx.db.updateTable('users').set({ emailVerified }).where('id', '=', accountId).execute();
  await ask({ email: address.toUpperCase() });
  const exported = async () => {
    for await (const { name, input } of exportFiles(ctx, accountId))
      if (name === 'newsletter.json') return JSON.parse(String(input));
  };
  await setVerified(false);
  expect(await exported()).toBeNull();
  await setVerified(true);
  expect(await exported()).toMatchObject({ email: address.toUpperCase(), state: 'pending', wantedTopics: ['news'] });
  await ctx.db.updateTable('users').set({ deletesAt: sql<Date>`now()` }).where('id', '=', accountId).execute();
  await deleteDueAccounts(ctx);
  expect(await row()).toBeUndefined();
});

test('counts all spellings of a mailbox together, also at once, so that nobody is flooded with links', async () => {
  const spellings = ['victim+1@gmail.com', 'v.ictim@gmail.com', 'VICTIM@googlemail.com', 'vic.tim+news@Gmail.com'];
  const tagged = ['ada+a@readers.example', 'ada+b@readers.example', 'Ada+c@readers.example', email];
  await Promise.all([...spellings, ...tagged, 'a.da@readers.example'].map((one) => ask({ email: one })));
  await makeMailSender(ctx, publicUrl)();
  const sent = (await listMails(catcher.url, '')).map(({ to }) => String(to).toLowerCase());
  const countAmong = (addresses: string[]) =>
    sent.filter((to) => addresses.some((one) => one.toLowerCase() === to)).length;
  expect(sent).toHaveLength(5);
  expect(countAmong(spellings)).toBe(newsletterLimits.confirmationsPerDay);
  expect(countAmong(tagged)).toBe(newsletterLimits.confirmationsPerDay);
});

test('a link confirms only what its email says, although another one was requested before it was sent', async () => {
  await ask({ topics: ['news'] });
  await ask({ topics: ['status'] });
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.text).toContain('news and status notifications');
  expect((await confirm(await newestToken())).topics).toEqual(['news', 'status']);
});

test('takes as long for those who are subscribed as for others', async () => {
  const [reader] = await makeSubscribers(ctx.db, 1);
  for (const address of [email, reader?.email ?? '']) {
    const start = performance.now();
    await subscribe(ctx, parse({ email: address }));
    expect(performance.now() - start).toBeGreaterThan(200);
  }
});
