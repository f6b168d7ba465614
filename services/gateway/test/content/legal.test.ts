import type { TermsCache } from '@uprez/domain/accounts/terms';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { openView } from '../support/accounts/views.ts';
import { openEditor } from '../support/articles.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { json, openV1Caller, raw } from '../support/v1-calls.ts';

let termsOf: Pick<TermsCache, 'read' | 'forget'> | undefined;
const gateway = fileFixture(() =>
  startTestGateway({}, undefined, ({ terms }) => {
    termsOf = terms;
    return {};
  }),
);
const admin = fileFixture(() => signUpAdmin(gateway));
const [terms, privacy] = ['terms-of-service', 'privacy-policy'];
const dayMs = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

beforeEach(async () => {
  const { db } = gateway.ctx;
  await db.deleteFrom('legalVersions').where('number', '>', 1).execute();
  termsOf?.forget();
});

type Options = { effectiveOn?: string; mustAccept?: boolean };
const edit = () => openEditor(gateway.url, admin);
const find = async (slug: string) => {
  const { data } = await admin.client.adminListArticles({ query: { kind: 'legal' } });
  return edit().get(data.find((row) => row.slug === slug)?.id ?? '');
};
/** Publishes a text, and returns the response. */
async function publish(slug: string, content: string, options: Options = {}) {
  const article = await find(slug);
  const { version, id } = await edit().save(article, { ...article.fields, content });
  return edit().send('adminPublishArticle', { params: { id }, body: { version, ...options } });
}
const read = async (path: string) => {
  const response = await fetch(gateway.url + path, { headers: { accept: 'application/json' } });
  return {
    status: response.status,
    code: response.headers.get('x-error-code'),
    body: response.ok ? await response.json() : undefined,
  };
};
/** Moves the date of the newest version of the terms to the past. */
async function takeEffect() {
  await sql`update legal_versions set published_at = now() - interval '2 days', effective_at = now() - interval '1 day'
    where number > 1`.execute(gateway.ctx.db);
  termsOf?.forget();
}

describe('versions of legal texts', () => {
  it('are numbered and dated, and stay readable as they were published', async () => {
    const first = (await read(`/api/pages/${terms}`)).body;
    expect(first.versions).toEqual([
      { number: 1, publishedAt: first.updatedAt, effectiveAt: first.updatedAt, isInForce: true },
    ]);
    const { status } = await publish(terms, 'Newer **terms**.', { effectiveOn: dayIn(10) });
    expect(status).toBe(200);
    const { body } = await read(`/api/pages/${terms}`);
    // The page shows what applies.
    expect([body.html, body.updatedAt]).toEqual([first.html, first.updatedAt]);
    expect(body.versions).toMatchObject([
      { number: 2, effectiveAt: `${dayIn(10)}T00:00:00.000Z`, isInForce: false },
      { number: 1, isInForce: true },
    ]);
    const upcoming = (await read(`/api/pages/${terms}/versions/2`)).body;
    expect(upcoming.html).toContain('<p>Newer <strong>terms</strong>.</p>');
    await takeEffect();
    expect((await read(`/api/pages/${terms}`)).body.html).toBe(upcoming.html);
    const earlier = (await read(`/api/pages/${terms}/versions/1`)).body;
    expect(earlier).toMatchObject({ title: 'Terms of Service', slug: terms, version: { number: 1, isInForce: false } });
    expect(earlier.html).toBe(first.html);
    expect(earlier.versions).toMatchObject([{ number: 2, isInForce: true }, { number: 1 }]);
    // The other text has versions of its own.
    expect((await read(`/api/pages/${privacy}`)).body.versions).toHaveLength(1);
    expect((await read('/api/pages/about')).body.versions).toEqual([]);
  });

  it.each([
    `${terms}/versions/3`,
    `${terms}/versions/0`,
    `${terms}/versions/1e1`,
    `${terms}/versions/x`,
    'about/versions/1',
    '%00/versions/1',
  ])('are missing at %s', async (path) => {
    expect(await read(`/api/pages/${path}`)).toMatchObject({ status: 404, code: 'article_not_found' });
    if (path.startsWith(terms)) expect((await fetch(`${gateway.url}/${path}`)).status).toBe(404);
  });

  it('have pages that search engines do not list, and are listed on the current page', async () => {
    await publish(terms, 'Newer terms.');
    const page = async (path: string) => (await fetch(gateway.url + path)).text();
    const current = await page(`/${terms}`);
    expect(current).toContain('rel="canonical"');
    expect(current).toContain(`href="/${terms}/versions/1"`);
    expect(current).toMatch(/Last updated <time datetime="[^"]+">[^<]+<\/time> · Effective/);
    const earlier = await page(`/${terms}/versions/1`);
    expect(earlier).toContain('noindex');
    expect(earlier).not.toContain('rel="canonical"');
    expect(earlier).toContain('<title>Terms of Service, version 1 - ');
    expect(earlier).toContain('You keep all rights to your images.');
    expect(earlier).not.toContain('Newer terms.');
  });

  it.each([
    { what: 'a day in the past', options: { effectiveOn: dayIn(-1) }, param: 'effectiveOn' },
    { what: 'a day too far ahead', options: { effectiveOn: dayIn(400) }, param: 'effectiveOn' },
    { what: 'a day that does not exist', options: { effectiveOn: '2027-02-30' }, param: 'effectiveOn' },
    { what: 'no users who accept them', slug: privacy, options: { mustAccept: true }, param: 'mustAccept' },
    { what: 'another kind of page', slug: 'about', options: { effectiveOn: dayIn(1) }, param: 'effectiveOn' },
  ])('are rejected with $what', async ({ slug = terms, options, param }) => {
    const kind = slug === 'about' ? 'page' : 'legal';
    const { data } = await admin.client.adminListArticles({ query: { kind } });
    const { id } = data.find((row) => row.slug === slug) ?? { id: '' };
    const { version } = await edit().get(id);
    const before = (await read(`/api/pages/${slug}`)).body;
    const result = await edit().send('adminPublishArticle', { params: { id }, body: { version, ...options } });
    expect(result).toMatchObject({ status: 422, code: 'invalid_parameter', body: { param } });
    expect((await read(`/api/pages/${slug}`)).body).toEqual(before);
  });

  it('can be withdrawn before they apply, and not afterward', async () => {
    const before = (await read(`/api/pages/${privacy}`)).body;
    await publish(privacy, 'Newer privacy policy.', { effectiveOn: dayIn(10) });
    const withdraw = async (number: number) => {
      const { id, version } = await find(privacy);
      return edit().send('adminWithdrawLegalVersion', { params: { id, number: String(number) }, body: { version } });
    };
    expect(await withdraw(1)).toMatchObject({ status: 404, code: 'revision_not_found' });
    const { status, body } = await withdraw(2);
    expect(status).toBe(200);
    // The text stays as a draft.
    expect(body).toMatchObject({ hasChanges: true, fields: { content: 'Newer privacy policy.' } });
    expect((await read(`/api/pages/${privacy}`)).body).toEqual(before);
    expect(await read(`/api/pages/${privacy}/versions/2`)).toMatchObject({ status: 404 });
    expect(await withdraw(1)).toMatchObject({ status: 409, code: 'article_fixed' });
    // Users may have accepted the number.
    await publish(privacy, 'Newest privacy policy.', { effectiveOn: dayIn(10) });
    expect((await read(`/api/pages/${privacy}`)).body.versions.map(({ number }: { number: number }) => number)).toEqual(
      [3, 1],
    );
    const editor = await signUpAdmin(gateway, 'editor');
    const { id, version } = await find(privacy);
    const refused = editor.client.adminWithdrawLegalVersion({ params: { id, number: '3' }, body: { version } });
    await expect(refused).rejects.toMatchObject({ status: 403, code: 'permission_missing' });
  });

  it('are in the audit log', async () => {
    await publish(terms, 'Newer terms.', { effectiveOn: dayIn(10), mustAccept: true });
    const { id } = await find(terms);
    const row = await gateway.ctx.db
      .selectFrom('audits')
      .select(['action', 'after'])
      .where('subject', '=', `article:${id}`)
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      action: 'article.publish',
      after: { version: 2, effectiveOn: dayIn(10), mustAccept: true },
    });
  });
});

describe('terms that have to be accepted again', () => {
  let image: Buffer;
  beforeAll(async () => {
    image = await makeImage({ width: 8, height: 8 });
  });
  const signUp = async () => {
    const user = await gateway.signUp();
    const accept = async (version: number) => user.client.acceptTerms({ body: { version } });
    const ask = async (path: string, body: unknown) => {
      const response = await user.fetch(`${gateway.url}/api${path}`, { method: 'POST', ...json(body) });
      return { status: response.status, code: response.headers.get('x-error-code'), body: await response.text() };
    };
    // Unlike the upload of an image, it waits for no worker.
    const process = () => ask('/batches', { items: [{ clientId: 'a', name: 'a.png' }] });
    const pending = async () => (await user.client.user()).data.pendingTerms;
    return { ...user, accept, ask, process, pending };
  };
  const blocked = { status: 403, code: 'terms_not_accepted' };

  it('are announced from publication on, and block only processing from the effective date on', async () => {
    const user = await signUp();
    expect(await user.pending()).toBeUndefined();
    await publish(terms, 'Newer terms.', { effectiveOn: dayIn(10), mustAccept: true });
    expect(await user.pending()).toEqual({
      version: 2,
      effectiveAt: `${dayIn(10)}T00:00:00.000Z`,
      isRequired: false,
    });
    const batch = await user.process();
    expect(batch.status).toBe(201);
    const { id } = JSON.parse(batch.body);
    await takeEffect();
    expect(await user.pending()).toMatchObject({ version: 2, isRequired: true });
    for (const path of ['/batches', `/batches/${id}/retry`, '/jobs/x/retry', '/images/process', '/images/bulk-process'])
      expect([path, await user.ask(path, {})]).toMatchObject([path, blocked]);
    const item = { method: 'PUT', body: imageForm(image) };
    expect((await user.fetch(`${gateway.url}/api/batches/${id}/items/x`, item)).status).toBe(403);
    const { client } = user;
    expect((await client.getBatch({ params: { id } })).data.id).toBe(id);
    expect((await client.cancelBatch({ params: { id } })).status).toBe(200);
    expect((await client.requestExport({ body: { password: user.password } })).status).toBe(202);
    expect((await client.listJobs()).status).toBe(200);
    expect((await client.dashboardStats()).status).toBe(200);
    await user.accept(2);
    expect(await user.pending()).toBeUndefined();
    expect((await user.process()).status).toBe(201);
    expect((await client.deleteAccount({ body: { password: user.password } })).status).toBe(202);
  });

  it('are accepted once, with the time and the IP address', async () => {
    const user = await signUp();
    await publish(terms, 'Newer terms.', { mustAccept: true });
    await Promise.all([user.accept(2), user.accept(2)]);
    await user.accept(2);
    const rows = await gateway.ctx.db
      .selectFrom('termAcceptances')
      .selectAll()
      .where('userId', '=', user.user.id)
      .execute();
    expect(rows).toMatchObject([{ version: 2, acceptedAt: expect.any(Date), address: '127.0.0.1' }]);
  });

  it('are only accepted in their newest version', async () => {
    const user = await signUp();
    await publish(terms, 'Newer terms.', { mustAccept: true });
    await publish(terms, 'Newest terms.');
    for (const version of [1, 2, 4])
      await expect(user.accept(version)).rejects.toMatchObject({ status: 422, code: 'invalid_parameter' });
    expect(await user.pending()).toMatchObject({ version: 3, isRequired: true });
    await user.accept(3);
    expect(await user.process()).toMatchObject({ status: 201 });
  });

  it('are not asked of users who accepted them when they signed up', async () => {
    await publish(terms, 'Newer terms.', { mustAccept: true });
    const body = { email: 'new@example.test', password: 'correct horse', acceptTerms: true };
    const { data } = await (await signUp()).client.register({ body });
    expect(data.pendingTerms).toBeUndefined();
  });

  it('are asked of users who sign up before they apply, because the page shows the earlier ones', async () => {
    await publish(terms, 'Newer terms.', { effectiveOn: dayIn(10), mustAccept: true });
    const body = { email: 'early@example.test', password: 'correct horse', acceptTerms: true };
    const { data } = await (await signUp()).client.register({ body });
    expect(data.pendingTerms).toMatchObject({ version: 2, isRequired: false });
  });

  it('block the API and its sandbox, and nothing else there', async () => {
    const caller = await openV1Caller(gateway, { tier: 'enterprise', scopes: ['process', 'read'] });
    await publish(terms, 'Newer terms.', { mustAccept: true });
    termsOf?.forget();
    for (const path of ['/v1/process', '/v1/sandbox/process', '/v1/resize'])
      expect(await (await caller.call('POST', path, raw(image))).json()).toMatchObject({
        ...blocked,
        hint: expect.stringContaining('accept'),
      });
    const batch = json({ items: [{ client_id: 'a', name: 'a.png' }] });
    expect((await caller.call('POST', '/v1/batches', batch)).status).toBe(403);
    for (const path of ['/v1/account', '/v1/jobs']) expect((await caller.call('GET', path)).status).toBe(200);
  });

  it('are not shown to administrators who view the account', async () => {
    const user = await signUp();
    await publish(terms, 'Newer terms.', { mustAccept: true });
    const view = await openView(gateway, user);
    expect((await view.client.user()).data).toMatchObject({ id: user.user.id, viewedBy: expect.anything() });
    expect((await view.client.user()).data.pendingTerms).toBeUndefined();
    // Nobody accepts them for somebody else.
    const accepting = view.client.acceptTerms({ body: { version: 2 } });
    await expect(accepting).rejects.toMatchObject({ status: 403, code: 'read_only_view' });
    expect(await user.pending()).toMatchObject({ version: 2 });
  });

  it('need no query of their own in each request', async () => {
    const user = await signUp();
    const read = termsOf?.read();
    await user.process();
    expect(termsOf?.read()).toBe(read);
  });

  it('are not asked of accounts that probe the service', async () => {
    const user = await signUp();
    await gateway.ctx.db.updateTable('users').set({ isService: true }).where('id', '=', user.user.id).execute();
    await publish(terms, 'Newer terms.', { mustAccept: true });
    expect(await user.process()).toMatchObject({ status: 201 });
  });
});
