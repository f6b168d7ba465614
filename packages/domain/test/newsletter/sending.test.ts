import { randomUUID } from 'node:crypto';
import { newsletterLimits } from '@uprez/contracts/policy/newsletter';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { claimCampaignMail } from '@uprez/db/queries/newsletter/campaign-mails';
import { findCampaign } from '@uprez/db/queries/newsletter/campaigns';
import { getCampaign } from '@uprez/domain/newsletter/campaigns/get-campaign';
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
  sendCampaign,
} from '@uprez/domain/newsletter/campaigns/move-campaign';
import { createCampaign } from '@uprez/domain/newsletter/campaigns/write-campaign';
import { makeCampaignSender, sendClaimed } from '@uprez/domain/newsletter/sending/send-campaigns';
import { makeSubscriberToken, unsubscribe } from '@uprez/domain/newsletter/subscribers/subscription';
import { smtpPurpose } from '@uprez/domain/settings/open-settings';
import { openMailConnection } from '@uprez/mail/send-message';
import { makeSubscribers } from '@uprez/testing/factories/make-subscriber';
import { listMails, openMailCatcher } from '@uprez/testing/mail';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const publicUrl = 'https://images.example';
const text = '# News\n\nRead **this** at [our prices](/pricing): {{plans.pro.price}}.';
let ctx: TestContext;
let catcher: Awaited<ReturnType<typeof openMailCatcher>>;
/** What the mail server answers to a recipient: `250` unless it is set. */
const answers = new Map<string, number>();
let admin: Parameters<typeof createCampaign>[1]['admin'];

beforeAll(async () => {
  ctx = await openTestContext();
  catcher = await openMailCatcher({ kept: 5_000, reject: (address) => answers.get(address) });
  const { accountId } = await makeUser(ctx.db);
  await ctx.db.updateTable('users').set({ role: 'owner' }).where('id', '=', accountId).execute();
  admin = { accountId, address: undefined, permission: 'newsletter.send' };
});
afterAll(async () => {
  await catcher.close();
  await ctx.close();
});
beforeEach(async () => {
  answers.clear();
  for (const table of ['campaigns', 'subscribers'] as const) await ctx.db.deleteFrom(table).execute();
  await setServer();
});

async function setServer(more: Record<string, unknown> = {}): Promise<void> {
  const { env } = catcher;
  const server = { smtpHost: env.SMTP_HOST, smtpPort: Number(env.SMTP_PORT), smtpUser: env.SMTP_USER };
  const smtpPassword = ctx.vault.seal(env.SMTP_PASSWORD, smtpPurpose);
  await upsertSettings(ctx.db, 'email', { ...server, smtpPassword, smtpSecure: false, ...more });
  ctx.settings.forget('email');
}

const send = () => makeCampaignSender(ctx, publicUrl)();
const create = () => createCampaign(ctx, { admin, campaign: { subject: 'News', text } });
async function start(): Promise<string> {
  const { id, version } = await create();
  await sendCampaign(ctx, { admin, id, version });
  return id;
}
const counts = async (id: string) => (await findCampaign(ctx.db, id))?.counts;
const stateOf = async (id: string) => (await getCampaign(ctx, id)).state;
const mailsTo = async (address: string) => await listMails(catcher.url, address);
const makeDue = () => ctx.db.updateTable('campaignMails').set({ notBefore: sql<Date>`now()` }).execute();
const tokenOf = (id: string) => makeSubscriberToken(ctx, id);

test('sends a campaign once to each confirmed subscriber to news, with links to leave and one-click headers', async () => {
  const [reader] = await makeSubscribers(ctx.db, 1);
  await makeSubscribers(ctx.db, 1, { topics: ['status'] });
  const pending = { id: randomUUID(), email: 'pending@readers.example', source: 'blog' } as const;
  await ctx.db.insertInto('subscribers').values(pending).execute();
  if (!reader) throw new Error('no reader');
  const id = await start();
  expect(await send()).toBe(1);
  expect(await send()).toBe(0);
  expect(await getCampaign(ctx, id)).toMatchObject({ state: 'sent', recipients: 1, sent: 1, pending: 0, failures: [] });
  const [mail, ...more] = await mailsTo(reader.email);
  expect(more).toEqual([]);
  const link = `${publicUrl}/api/newsletter/unsubscribe?token=${tokenOf(reader.id)}&topic=news`;
  expect(mail?.headers['list-unsubscribe']).toBe(`<${link}>`);
  expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
  expect(mail?.headers['message-id']).toContain(`<${id}.${reader.id}@`);
  const page = `${publicUrl}/newsletter/unsubscribe?token=${tokenOf(reader.id)}&topic=news`;
  expect(mail?.text).toContain(page);
  expect(mail?.html).toContain(page.replace('&', '&amp;'));
  expect(mail?.html).toContain(`${publicUrl}/newsletter/preferences?token=${tokenOf(reader.id)}`);
  expect(mail?.html).toContain('<strong>this</strong>');
  expect(mail?.html).toContain(`href="${publicUrl}/pricing"`);
  expect(mail?.text).toMatch(/\(https:\/\/images\.example\/pricing\): \$\d+/);
});

test('sends each email once through a pause, and none to those who left after the recipients were fixed', async () => {
  const readers = await makeSubscribers(ctx.db, 6);
  const id = await start();
  const [leaver] = readers;
  if (!leaver) throw new Error('no reader');
  await pauseCampaign(ctx, { admin, id });
  await unsubscribe(ctx, { token: tokenOf(leaver.id) });
  expect(await send()).toBe(0);
  await resumeCampaign(ctx, { admin, id });
  expect(await send()).toBe(5);
  expect(await counts(id)).toEqual({ sent: 5, failed: 0, skipped: 1, pending: 0 });
  for (const { email } of readers) expect(await mailsTo(email)).toHaveLength(email === leaver.email ? 0 : 1);
});

test('a canceled campaign sends no further email, and a scheduled one becomes a draft again', async () => {
  await makeSubscribers(ctx.db, 2);
  const id = await start();
  await cancelCampaign(ctx, { admin, id });
  expect(await send()).toBe(0);
  expect(await getCampaign(ctx, id)).toMatchObject({ state: 'cancelled', skipped: 2, pending: 0 });
  const other = await create();
  const sendAt = new Date(Date.now() + 60_000).toISOString();
  const { version } = other;
  expect((await scheduleCampaign(ctx, { admin, id: other.id, version, sendAt })).state).toBe('scheduled');
  expect((await cancelCampaign(ctx, { admin, id: other.id })).state).toBe('draft');
});

test('starts a scheduled campaign at its time, with the recipients of that time', async () => {
  const { id, version } = await create();
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  await scheduleCampaign(ctx, { admin, id, version, sendAt });
  const [reader] = await makeSubscribers(ctx.db, 1);
  expect(await send()).toBe(0);
  expect(await stateOf(id)).toBe('scheduled');
  await ctx.db.updateTable('campaigns').set({ sendAt: sql<Date>`now()` }).execute();
  expect(await send()).toBe(1);
  expect(await mailsTo(reader?.email ?? '')).toHaveLength(1);
});

test('a refused address gets no emails anymore; a temporary error is retried and fails in the end', async () => {
  const [gone, busy, fine] = await makeSubscribers(ctx.db, 3);
  if (!gone || !busy || !fine) throw new Error('no readers');
  answers.set(gone.email, 550).set(busy.email, 451);
  const id = await start();
  expect(await send()).toBe(1);
  expect(await counts(id)).toEqual({ sent: 1, failed: 1, skipped: 0, pending: 1 });
  const stateOfReader = async ({ id: of }: { id: string }) =>
    (await ctx.db.selectFrom('subscribers').select('state').where('id', '=', of).executeTakeFirst())?.state;
  expect([await stateOfReader(gone), await stateOfReader(busy)]).toEqual(['bounced', 'confirmed']);
  for (let attempt = 2; attempt <= newsletterLimits.attempts; attempt += 1) {
    await makeDue();
    expect(await send()).toBe(0);
  }
  expect(await stateOfReader(busy)).toBe('confirmed');
  const { failures, state } = await getCampaign(ctx, id);
  expect(state).toBe('sent');
  expect(failures.map(({ email, attempts }) => [email, attempts]).toSorted()).toEqual(
    [
      [busy.email, newsletterLimits.attempts],
      [gone.email, 1],
    ].toSorted(),
  );
  expect(failures[0]?.reason).not.toContain('readers.example');
});

test('an email whose sender was killed is sent again with the same ID after its lease, and no other one', async () => {
  const readers = await makeSubscribers(ctx.db, 3);
  const id = await start();
  const [first] = readers;
  // As if the process was killed after the mail server accepted it.
  expect(await send()).toBe(3);
  const killed = { state: 'pending', endedAt: null, notBefore: sql<Date>`now() + interval '1 minute'` } as const;
  await ctx.db
    .updateTable('campaignMails')
    .set(killed)
    .where('subscriberId', '=', first?.id ?? '')
    .execute();
  await ctx.db.updateTable('campaigns').set({ state: 'sending', finishedAt: null }).execute();
  expect(await send()).toBe(0);
  expect(await stateOf(id)).toBe('sending');
  await makeDue();
  expect(await send()).toBe(1);
  const ids = (await mailsTo(first?.email ?? '')).map(({ headers }) => headers['message-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  for (const { email } of readers.slice(1)) expect(await mailsTo(email)).toHaveLength(1);
});

test('waits while the mail server is away, tries one email only, and fails none, however long it takes', async () => {
  await makeSubscribers(ctx.db, 3);
  const id = await start();
  await setServer({ smtpPort: 1 });
  expect(await send()).toBe(0);
  const tried = ctx.db.selectFrom('campaignMails').select('attempts').where('lastError', 'is not', null);
  expect(await tried.execute()).toEqual([{ attempts: 0 }]);
  for (let pass = 0; pass < 3 * newsletterLimits.attempts; pass += 1) {
    await makeDue();
    expect(await send()).toBe(0);
  }
  expect(await counts(id)).toMatchObject({ failed: 0, pending: 3 });
  await setServer();
  await makeDue();
  expect(await send()).toBe(3);
  expect(await stateOf(id)).toBe('sent');
});

test('a mail server that refuses everyone pauses the campaign, and costs no subscriber', async () => {
  const readers = await makeSubscribers(ctx.db, 15);
  // As servers say "relay not permitted": without a code that tells whom it is about.
  for (const { email } of readers) answers.set(email, 550);
  const id = await start();
  for (let pass = 0; pass < 3; pass += 1) expect(await send()).toBe(0);
  expect(await getCampaign(ctx, id)).toMatchObject({ state: 'paused', failed: 10, pending: 5 });
  const states = ctx.db.selectFrom('subscribers').select('state').distinct();
  expect(await states.execute()).toEqual([{ state: 'confirmed' }]);
  answers.clear();
  await resumeCampaign(ctx, { admin, id });
  expect(await send()).toBe(5);
  expect(await stateOf(id)).toBe('sent');
});

test('sends no further email of a post that is hidden in the middle of a pass, and its new text after an edit', async () => {
  await makeSubscribers(ctx.db, 3);
  const articleId = randomUUID();
  const post = { id: articleId, kind: 'post', status: 'published', title: 'First', slug: articleId } as const;
  const rendered = { html: '', rendererVersion: 1, readingMinutes: 1, seo: '{}' };
  const times = { publishedAt: new Date(), revisedAt: new Date() };
  await ctx.db
    .insertInto('articles')
    .values({ ...post, ...rendered, ...times })
    .execute();
  const { id, version } = await createCampaign(ctx, { admin, campaign: { articleId } });
  await sendCampaign(ctx, { admin, id, version });
  const connection = openMailConnection(await ctx.settings.read('email'));
  const pass = { publicUrl, connection, templates: new Map() };
  const sendNext = async () => {
    const claimed = await claimCampaignMail(ctx.db, 60);
    return claimed && (await sendClaimed(ctx, pass, claimed));
  };
  const change = (changes: { title?: string; status?: 'draft'; publishedAt?: null }) =>
    ctx.db.updateTable('articles').set(changes).where('id', '=', articleId).execute();
  expect(await sendNext()).toBe('sent');
  await change({ title: 'Second' });
  expect(await sendNext()).toBe('sent');
  await change({ status: 'draft', publishedAt: null });
  expect(await sendNext()).toBe('unsent');
  connection.close();
  expect(await getCampaign(ctx, id)).toMatchObject({ state: 'paused', sent: 2, pending: 1 });
  const texts = (await listMails(catcher.url, '')).map(({ text: said }) => said);
  expect(texts.filter((said) => said.includes('First\n'))).toHaveLength(1);
  expect(texts.filter((said) => said.includes('Second\n'))).toHaveLength(1);
});
