import { randomUUID } from 'node:crypto';
import type { RouteName } from '@uprez/contracts/endpoints/routes';
import { roles } from '@uprez/contracts/policy/admin/permissions';
import type { Campaign, CampaignRow } from '@uprez/contracts/schemas/newsletter/campaigns';
import type { Subscriber } from '@uprez/contracts/schemas/newsletter/subscribers';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { makeSubscribers } from '@uprez/testing/factories/make-subscriber';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { makeFields, openEditor } from '../support/articles.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = fileFixture(() => startTestGateway({ SMTP_HOST: '127.0.0.1', SMTP_PORT: '2525' }));
const admins = fileFixture(async () =>
  Object.fromEntries(await Promise.all(roles.map(async (role) => [role, await signUpAdmin(gateway, role)] as const))),
);
const as = (role: (typeof roles)[number]) => {
  const admin = admins[role];
  if (!admin) throw new Error(`no ${role}`);
  return openEditor(gateway.url, admin);
};
beforeEach(async () => {
  for (const table of ['campaigns', 'subscribers', 'outbox'] as const) await gateway.ctx.db.deleteFrom(table).execute();
});

/** Reads below `/api/admin/newsletter`. */
async function read(path: string, role: (typeof roles)[number]): Promise<Response> {
  const admin = admins[role];
  if (!admin) throw new Error(`no ${role}`);
  return await admin.fetch(`${gateway.url}/api/admin/newsletter${path}`);
}
const readList = async (...call: Parameters<typeof read>): Promise<unknown> => (await read(...call)).json();

const written = { subject: 'News', text: '# Hello\n\n**Images** are [larger](/pricing).' };
const callAs = (role: (typeof roles)[number]) => (name: RouteName, campaign?: { id: string }, body?: unknown) =>
  as(role).send(name, { params: { id: campaign?.id ?? '' }, body });
const call = callAs('owner');
const create = async (body: object = written) => (await call('adminCreateCampaign', undefined, body)).body as Campaign;
const actionsOn = async (subject: string) => {
  const rows = gateway.ctx.db.selectFrom('audits').select('action').where('subject', '=', subject);
  return (await rows.where('rejected', 'is', null).orderBy('createdAt').execute()).map(({ action }) => action);
};
async function publish(title = 'Larger images'): Promise<string> {
  const editor = as('owner');
  const article = await editor.save(await editor.create(), makeFields({ title, excerpt: 'Much larger.' }));
  await editor.publish(article);
  return article.id;
}

describe('campaigns', () => {
  it('are written, changed, planned, sent, paused, resumed, and canceled, each with a row of the audit log', async () => {
    await makeSubscribers(gateway.ctx.db, 3);
    await makeSubscribers(gateway.ctx.db, 1, { topics: ['status'] });
    const created = await create();
    expect(created).toMatchObject({ kind: 'written', state: 'draft', version: 1, recipients: 3, text: written.text });
    expect(created.html).toContain('<strong>Images</strong>');
    const { version } = created;
    const changed = await call('adminUpdateCampaign', created, { version, subject: 'More news' });
    expect(changed.body).toMatchObject({ subject: 'More news', version: 2, text: written.text });
    expect(await call('adminUpdateCampaign', created, { version, subject: 'Old' })).toMatchObject({
      status: 409,
      code: 'campaign_changed',
    });
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const past = await call('adminScheduleCampaign', created, { version: 2, sendAt: '2020-01-01T00:00:00Z' });
    expect([past.status, past.body]).toMatchObject([422, { param: 'sendAt' }]);
    const planned = await call('adminScheduleCampaign', created, { version: 2, sendAt: at });
    expect(planned.body).toMatchObject({ state: 'scheduled', sendAt: at });
    expect((await call('adminUpdateCampaign', created, { version: 2, subject: 'Late' })).code).toBe('campaign_state');
    expect((await call('adminCancelCampaign', created)).body).toMatchObject({ state: 'draft', sendAt: null });
    const sent = await call('adminSendCampaign', created, { version: 2 });
    expect(sent.body).toMatchObject({ state: 'sending', recipients: 3, pending: 3, sent: 0 });
    expect((await call('adminSendCampaign', created, { version: 2 })).code).toBe('campaign_state');
    expect((await call('adminPauseCampaign', created)).body).toMatchObject({ state: 'paused' });
    expect((await call('adminPauseCampaign', created)).code).toBe('campaign_state');
    expect((await call('adminResumeCampaign', created)).body).toMatchObject({ state: 'sending' });
    expect((await call('adminCancelCampaign', created)).body).toMatchObject({ state: 'cancelled', skipped: 3 });
    expect((await call('adminDeleteCampaign', created)).code).toBe('campaign_state');
    const steps = ['create', 'update', 'schedule', 'cancel', 'send', 'pause', 'resume', 'cancel'];
    expect(await actionsOn(`campaign:${created.id}`)).toEqual(steps.map((step) => `campaign.${step}`));
  });

  it('of a post exist once, and are not sent while the post is not published', async () => {
    const articleId = await publish();
    const campaign = await create({ articleId });
    const article = { id: articleId, title: 'Larger images', excerpt: 'Much larger.', isPublished: true };
    expect(campaign).toMatchObject({ kind: 'article', subject: 'Larger images', article });
    expect((await call('adminCreateCampaign', undefined, { articleId })).code).toBe('campaign_exists');
    const { version } = campaign;
    expect((await call('adminUpdateCampaign', campaign, { version, text: 'Own' })).body).toMatchObject({
      param: 'text',
    });
    const { version: seen } = (await as('owner').send('adminGetArticle', { params: { id: articleId } }))
      .body as Campaign;
    await as('owner').send('adminUnpublishArticle', { params: { id: articleId }, body: { version: seen } });
    expect((await call('adminSendCampaign', campaign, { version })).code).toBe('campaign_article_hidden');
    expect((await call('adminDeleteCampaign', campaign)).status).toBe(204);
    for (const id of [articleId, randomUUID()])
      expect((await call('adminCreateCampaign', undefined, { articleId: id })).body).toMatchObject({
        code: 'invalid_parameter',
        param: 'articleId',
      });
  });

  it.each([
    ['no field', {}, 'subject'],
    ['no text', { subject: 'News' }, 'text'],
    ['an empty subject', { subject: ' ', text: 'Text' }, 'subject'],
    ['a post and a text', { ...written, articleId: randomUUID() }, 'text'],
    ['an image', { ...written, text: '![](/media/01890000-0000-7000-8000-000000000000)' }, 'text'],
    ['HTML', { ...written, text: '<b>HTML</b>' }, 'text'],
    ['a long text', { ...written, text: 'x'.repeat(20_001) }, 'text'],
  ])('are not created with %s', async (_name, body, param) => {
    const response = await call('adminCreateCampaign', undefined, body);
    expect([response.status, response.body]).toMatchObject([422, { param }]);
    const { body: rows } = await call('adminListCampaigns');
    expect(rows).toEqual([]);
  });

  it('are sent to their tester only, as often as emails of one kind', async () => {
    await makeSubscribers(gateway.ctx.db, 2);
    const campaign = await create();
    const to = admins.editor?.user.email;
    expect((await callAs('editor')('adminTestCampaign', campaign)).code).toBe('email_unverified');
    await gateway.ctx.db.updateTable('users').set({ emailVerified: true }).execute();
    for (let i = 0; i < 5; i += 1)
      expect(await callAs('editor')('adminTestCampaign', campaign, undefined)).toMatchObject({
        status: 202,
        body: { to },
      });
    expect((await callAs('editor')('adminTestCampaign', campaign, undefined)).code).toBe('rate_limited');
    const queued = await gateway.ctx.db.selectFrom('outbox').select('payload').execute();
    expect(queued).toHaveLength(5);
    expect(queued[0]?.payload).toMatchObject({
      mail: 'campaign_test',
      to,
      campaign: { subject: 'News', topic: 'news' },
    });
    expect((await call('adminGetCampaign', campaign)).body).toMatchObject({ state: 'draft', sent: 0 });
  });

  it('are written by editors, sent by owners and admins, and read by viewers', async () => {
    const campaign = await create();
    const { version } = campaign;
    const sendAt = '2100-01-01T00:00:00.000Z';
    const steps: [RouteName, unknown][] = [
      ['adminScheduleCampaign', { version, sendAt }],
      ['adminSendCampaign', { version }],
      ['adminPauseCampaign', undefined],
      ['adminResumeCampaign', undefined],
      ['adminCancelCampaign', undefined],
    ];
    for (const [name, body] of steps)
      for (const role of ['editor', 'support', 'viewer'] as const)
        expect((await callAs(role)(name, campaign, body)).code).toBe('permission_missing');
    expect((await callAs('editor')('adminUpdateCampaign', campaign, { version, subject: 'Edited' })).status).toBe(200);
    expect((await callAs('viewer')('adminGetCampaign', campaign, undefined)).status).toBe(200);
    expect((await callAs('support')('adminGetCampaign', campaign, undefined)).code).toBe('permission_missing');
    expect((await callAs('viewer')('adminUpdateCampaign', campaign, { version: 2, subject: 'No' })).status).toBe(403);
    for (const [name, body] of steps.slice(0, 4))
      expect(
        (await callAs('admin')(name, campaign, { ...(body as object), ...(body ? { version: 2 } : {}) })).status,
      ).toBe(200);
  });

  it('are found by subject, state, and kind', async () => {
    await create({ ...written, subject: 'First' });
    await create({ ...written, subject: 'Second' });
    const list = async (query: string) => {
      const rows = await readList(`/campaigns?${query}`, 'owner');
      return (rows as CampaignRow[]).map(({ subject }) => subject);
    };
    expect(await list('')).toEqual(['Second', 'First']);
    expect(await list('search=FIR')).toEqual(['First']);
    expect(await list('state=draft&kind=written&sort=created')).toEqual(['First', 'Second']);
    expect(await list('kind=incident')).toEqual([]);
  });

  it('are neither sent nor scheduled without a mail server', async () => {
    const campaign = await create();
    await upsertSettings(gateway.ctx.db, 'email', { smtpHost: '' });
    const { version } = campaign;
    await expect
      .poll(async () => (await call('adminSendCampaign', campaign, { version })).code)
      .toBe('mail_not_configured');
    const sendAt = '2100-01-01T00:00:00.000Z';
    expect((await call('adminScheduleCampaign', campaign, { version, sendAt })).code).toBe('mail_not_configured');
    await gateway.ctx.db.deleteFrom('settings').where('name', '=', 'email').execute();
  });
});

describe('subscribers', () => {
  const list = async (query = '', role: (typeof roles)[number] = 'owner') =>
    (await readList(`/subscribers?${query}`, role)) as Subscriber[];

  it('are found by address, state, and topic, exported, and removed', async () => {
    const [one] = await makeSubscribers(gateway.ctx.db, 2);
    const [status] = await makeSubscribers(gateway.ctx.db, 1, { topics: ['status'], services: ['api'] });
    const pending = {
      id: randomUUID(),
      email: 'pending@readers.example',
      source: 'blog',
      wantedTopics: ['news'],
    } as const;
    const row = { ...pending, wantedTopics: ['news' as const], expiresAt: new Date(Date.now() + 60_000) };
    await gateway.ctx.db.insertInto('subscribers').values(row).execute();
    expect(await list()).toHaveLength(4);
    expect(await list('state=pending')).toMatchObject([{ id: pending.id, topics: ['news'], confirmedAt: null }]);
    expect(await list('topic=status')).toMatchObject([{ id: status?.id, services: ['api'] }]);
    expect(await list(`search=${encodeURIComponent(one?.email.toUpperCase() ?? '')}`)).toMatchObject([{ id: one?.id }]);
    const csv = await read('/subscribers/export?state=confirmed&columns=topics', 'owner');
    expect(csv.headers.get('content-disposition')).toMatch(/subscribers-.*\.csv/);
    expect(parseCsv(await csv.text())).toHaveLength(4);
    expect((await call('adminDeleteSubscriber', { id: one?.id ?? '' })).status).toBe(204);
    expect((await call('adminDeleteSubscriber', { id: one?.id ?? '' })).code).toBe('subscriber_not_found');
    expect(await list('state=confirmed&topic=news')).toHaveLength(1);
    expect(await actionsOn(`subscriber:${one?.id}`)).toEqual(['subscriber.delete']);
  });

  it('are masked for roles without email addresses, and not found by them', async () => {
    const [one] = await makeSubscribers(gateway.ctx.db, 1);
    for (const role of ['viewer', 'editor'] as const) {
      expect(await list('', role)).toMatchObject([{ id: one?.id, email: 'r***@***.example' }]);
      expect(await list('search=reader', role)).toEqual([]);
      const csv = await read('/subscribers/export', role);
      expect(await csv.text()).not.toContain(one?.email);
    }
    expect((await callAs('viewer')('adminDeleteSubscriber', { id: one?.id ?? '' }, undefined)).status).toBe(403);
  });
});
