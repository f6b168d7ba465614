// cspell:ignore metdata qzxwvk QZXWVK receve webh webho webhoks zebar
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { makeFields, openEditor } from '../support/articles.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = fileFixture(() => startTestGateway({ RATE_LIMIT_SCALE: '1000' }));
const admin = fileFixture(() => signUpAdmin(gateway));
beforeEach(async () => {
  const { db } = gateway.ctx;
  await db.deleteFrom('articles').where('kind', 'in', ['help', 'position']).execute();
  await db.deleteFrom('categories').execute();
  await db.deleteFrom('searchDays').execute();
});

type Kind = 'help' | 'position';
const editor = () => openEditor(gateway.url, admin);
const create = async (kind: Kind) => (await admin.client.adminCreateArticle({ body: { kind } })).data;
const publish = async (fields: Partial<ArticleFields>, kind: Kind = 'help') =>
  editor().publish(await editor().save(await create(kind), makeFields(fields)));
const categoryOf = async (name: string, kind: Kind = 'help') =>
  (await admin.client.adminCreateCategory({ body: { name, kind } })).data.id;
const get = async (path: string) => {
  const response = await fetch(gateway.url + path, { headers: { accept: 'application/json' } });
  const text = await response.text();
  return { status: response.status, code: response.headers.get('x-error-code'), text };
};
const json = async (path: string) => JSON.parse((await get(path)).text);
const search = (q: string) => json(`/api/help/search?q=${encodeURIComponent(q)}`);

describe('the help center', () => {
  it('lists public questions by category, and featured articles, in the order of administrators', async () => {
    const [first, second] = [await categoryOf('Plans'), await categoryOf('API')];
    await publish({ title: 'Keys', categoryIds: [second] });
    const prices = await publish({ title: 'Prices', categoryIds: [first], content: 'It costs {{plans.pro.price}}.' });
    await publish({ title: 'Refunds', categoryIds: [first] });
    await publish({ title: 'Guide', excerpt: 'Read.', categoryIds: [first], featured: true });
    await editor().save(await create('help'), makeFields({ title: 'Draft', categoryIds: [first] }));
    const center = await json('/api/help');
    const titles = () =>
      center.groups.map((group: { name: string; questions: { title: string }[] }) => [
        group.name,
        ...group.questions.map(({ title }) => title),
      ]);
    expect(titles()).toEqual([
      ['Plans', 'Prices', 'Refunds'],
      ['API', 'Keys'],
    ]);
    expect(center.groups[0].questions[0]).toMatchObject({ slug: 'prices', html: '<p>It costs $7.</p>' });
    expect(center.popular).toEqual([
      { title: 'Guide', slug: 'guide', excerpt: 'Read.', category: 'Plans', readingMinutes: 1 },
    ]);
    await admin.client.adminMoveArticle({ params: { id: prices.id }, body: { direction: 'down' } });
    const [group] = (await json('/api/help')).groups;
    expect(group.questions.map(({ title }: { title: string }) => title)).toEqual(['Refunds', 'Prices']);
    const audits = await gateway.ctx.db.selectFrom('audits').select('subject').where('action', '=', 'article.move');
    expect(await audits.execute()).toEqual([{ subject: `article:${prices.id}` }]);
    // It moves after the draft, and is the last one then.
    await admin.client.adminMoveArticle({ params: { id: prices.id }, body: { direction: 'down' } });
    await admin.client.adminMoveArticle({ params: { id: prices.id }, body: { direction: 'down' } });
    expect(await audits.execute()).toHaveLength(2);
  });

  it('answers unknown slugs, drafts, and deleted articles alike', async () => {
    const deleted = await publish({ title: 'Deleted' });
    await admin.client.adminDeleteArticle({ params: { id: deleted.id } });
    await editor().save(await create('help'), makeFields({ title: 'Draft', slug: 'draft' }));
    await publish({ title: 'A position' }, 'position');
    const missing = await get('/api/help/articles/unknown');
    expect([missing.status, missing.code]).toEqual([404, 'article_not_found']);
    for (const slug of ['draft', 'deleted', 'a-position', '%00', "a'b", 'a'.repeat(300)])
      expect(await get(`/api/help/articles/${slug}`)).toEqual(missing);
    for (const slug of ['unknown', 'draft', 'deleted', '%00', 'larger-images'])
      expect(await get(`/api/pages/${slug}`)).toEqual(missing);
    for (const slug of ['unknown', 'draft', '%27']) expect(await get(`/api/careers/${slug}`)).toEqual(missing);
  });

  it('finds an article by a former slug', async () => {
    const article = await publish({ title: 'One', slug: 'one' });
    await editor().publish(await editor().save(article, { ...article.fields, slug: 'two' }));
    expect((await json('/api/help/articles/one')).slug).toBe('two');
  });
});

describe('the search', () => {
  it('finds public articles, and escapes nothing', async () => {
    await publish({ title: 'Webhooks <b>', content: 'Receive `<script>` & **events**.' });
    await editor().save(await create('help'), makeFields({ title: 'Webhooks in a draft' }));
    await publish({ title: 'Webhooks position' }, 'position');
    const { results, suggestion } = await search('webhook');
    expect(suggestion).toBeNull();
    expect(results).toEqual([
      {
        slug: 'webhooks-b',
        category: null,
        title: [
          { text: 'Webhooks', isMatch: true },
          { text: ' <b>', isMatch: false },
        ],
        excerpt: [{ text: 'Receive <script> & events.', isMatch: false }],
      },
    ]);
    expect((await search('webhoks')).suggestion).toBe('webhooks');
    const { id, version } = await publish({ title: 'Zebra' });
    await admin.client.adminUnpublishArticle({ params: { id }, body: { version } });
    expect(await search('zebra')).toEqual({ results: [], suggestion: null });
    expect(await search('zebar')).toEqual({ results: [], suggestion: null });
  });

  it('keeps words that change the meaning, and leaves out other common words', async () => {
    await publish({ title: 'Upload works', content: 'The image was charged with a plan.' });
    await publish({ title: 'Upload fails', content: 'The image was not charged. Try it without a plan.' });
    const titles = async (text: string) =>
      (await search(text)).results.map(({ slug }: { slug: string }) => slug).toSorted();
    expect(await titles('why was the image charged')).toEqual(['upload-fails', 'upload-works']);
    for (const text of ['image not charged', 'Not', 'charged without a plan', '"was not charged"'])
      expect(await titles(text), text).toEqual(['upload-fails']);
    expect((await search('not')).results[0].excerpt).toContainEqual({ text: 'not', isMatch: true });
    expect((await search('how do i')).results).toEqual([]);
  });

  it.each([
    `'"<>&|!():*`,
    `' or 1=1 --`,
    '\\',
    '%_%',
    '*:*',
    '!!!',
    '"',
    'a & | b',
    '<->',
    '\u2028\uE000',
    '🦓',
    "it's",
    'a'.repeat(200),
    'a '.repeat(99),
  ])('answers %j', async (text) => {
    await publish({ title: 'Webhooks' });
    const { status } = await get(`/api/help/search?q=${encodeURIComponent(text)}`);
    expect(status).toBe(200);
    expect((await fetch(`${gateway.url}/help-center?search=${encodeURIComponent(text)}`)).status).toBe(200);
  });

  it.each([
    ['', 'invalid_parameter'],
    ['?q=', 'invalid_parameter'],
    ['?q=%20', 'invalid_parameter'],
    [`?q=${'a'.repeat(201)}`, 'invalid_parameter'],
    [`?q=${'a'.repeat(501)}`, 'invalid_parameter'],
    ['?q=%00', 'invalid_parameter'],
    ['?q=a&q=b', 'invalid_parameter'],
  ])('rejects %s, and counts nothing', async (query, code) => {
    const found = await get(`/api/help/search${query}`);
    expect([found.status, found.code]).toEqual([422, code]);
    expect(await gateway.ctx.db.selectFrom('searchDays').selectAll().execute()).toEqual([]);
  });

  it('is counted, with what was not found', async () => {
    await publish({ title: 'Webhooks' });
    for (const text of ['webhooks', 'qzxwvk', ' QZXWVK ']) await search(text);
    const today = new Date().toISOString().slice(0, 10);
    const { data: all } = await admin.client.adminListSearches({ query: {} });
    const missed = { term: 'qzxwvk', searches: 2, missed: 2, lastDay: today };
    expect(all).toEqual([missed, { term: 'webhooks', searches: 1, missed: 0, lastDay: today }]);
    const { data: unanswered } = await admin.client.adminListSearches({ query: { missed: 'true' } });
    expect(unanswered).toEqual([missed]);
  });
});

describe('votes', () => {
  const vote = (slug: string, body: unknown) => editor().send('voteHelpArticle', { params: { slug }, body });

  it('are counted by article', async () => {
    const { id } = await publish({ title: 'Webhooks' });
    await publish({ title: 'Keys' });
    for (const helpful of [true, false, false]) expect((await vote('webhooks', { helpful })).status).toBe(204);
    expect((await vote('keys', { helpful: true })).status).toBe(204);
    const { data } = await admin.client.adminListVotes();
    expect(data[0]).toEqual({ id, title: 'Webhooks', yes: 1, no: 2 });
    expect(data).toHaveLength(2);
  });

  it.each([undefined, {}, { helpful: 'yes' }, { helpful: null }, { helpful: true, more: 1 }, []])(
    'are rejected with a body like %j',
    async (body) => {
      await publish({ title: 'Webhooks' });
      expect((await vote('webhooks', body)).code).toBe('invalid_parameter');
      expect((await admin.client.adminListVotes()).data).toEqual([]);
    },
  );

  it('are rejected for articles that are not public', async () => {
    await editor().save(await create('help'), makeFields({ title: 'Draft', slug: 'draft' }));
    for (const slug of ['draft', 'unknown', '%00'])
      expect((await vote(slug, { helpful: true })).code).toBe('article_not_found');
  });
});

describe('fixed pages', () => {
  const find = async (kind: 'legal' | 'page', slug: string) => {
    const { data } = await admin.client.adminListArticles({ query: { kind } });
    const id = data.find((row) => row.slug === slug)?.id ?? '';
    return editor().get(id);
  };

  it('cannot be created, unpublished, deleted, or moved to another URL', async () => {
    const { send } = editor();
    for (const kind of ['legal', 'page', 'x'])
      expect((await send('adminCreateArticle', { body: { kind } })).code).toBe('invalid_parameter');
    const { id, version, fields } = await find('page', 'about');
    const params = { id };
    const save = { fields: { ...fields, slug: 'other' }, version, tab: editor().tab };
    for (const result of [
      await send('adminDeleteArticle', { params }),
      await send('adminUnpublishArticle', { params, body: { version } }),
      await send('adminSaveDraft', { params, body: save }),
    ])
      expect([result.status, result.code]).toEqual([409, 'article_fixed']);
    expect(await editor().get(id)).toMatchObject({ version, slug: 'about', status: 'published' });
  });

  it('change their public text when they are published', async () => {
    const about = await find('page', 'about');
    await editor().publish(await editor().save(about, { ...about.fields, content: 'We **care**.' }));
    expect(await json('/api/pages/about')).toMatchObject({ isLegal: false, html: '<p>We <strong>care</strong>.</p>' });
  });

  it('of law are published by owners and administrators only', async () => {
    const terms = await find('legal', 'terms-of-service');
    const saved = await editor().save(terms, { ...terms.fields, content: 'New terms.' });
    const { db } = gateway.ctx;
    const setRole = (role: 'editor' | 'owner') => db.updateTable('users').set({ role }).execute();
    await setRole('editor');
    const rejected = await editor().send('adminPublishArticle', {
      params: { id: terms.id },
      body: { version: saved.version },
    });
    expect([rejected.status, rejected.code]).toEqual([403, 'permission_missing']);
    expect((await json('/api/pages/terms-of-service')).html).not.toContain('New terms.');
    await setRole('owner');
    await editor().publish(saved);
    expect((await json('/api/pages/terms-of-service')).html).toContain('<p>New terms.</p>');
  });
});

it('describes public positions to search engines by known facts only', async () => {
  await publish({ title: 'Designer', excerpt: 'Remote', content: 'Draw `</script>`.' }, 'position');
  const page = await (await fetch(`${gateway.url}/careers/designer`)).text();
  const scripts = [...page.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/g)];
  const posting = scripts.map(([, text = '']) => JSON.parse(text)).find((one) => one['@type'] === 'JobPosting');
  const { publishedAt } = await json('/api/careers/designer');
  expect(posting).toEqual({
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: 'Designer',
    description: expect.stringContaining('<p>Draw'),
    datePosted: publishedAt,
    url: expect.stringMatching(/\/careers\/designer$/),
    hiringOrganization: { '@type': 'Organization', name: 'Uprez', sameAs: expect.stringMatching(/^http/) },
    directApply: true,
  });
  expect((await fetch(`${gateway.url}/careers/unknown`)).status).toBe(404);
});

it('lists public positions with their department', async () => {
  const design = await categoryOf('Design', 'position');
  await publish({ title: 'Designer', excerpt: 'Remote', categoryIds: [design] }, 'position');
  await editor().save(await create('position'), makeFields({ title: 'Draft' }));
  expect(await json('/api/careers')).toEqual([
    { title: 'Designer', slug: 'designer', excerpt: 'Remote', department: 'Design' },
  ]);
  expect(await json('/api/careers/designer')).toMatchObject({
    title: 'Designer',
    html: expect.stringContaining('<p>'),
  });
});
