import { articleLimits } from '@uprez/contracts/policy/articles';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin, site } from '../support/accounts/admin-calls.ts';
import { openEditor } from '../support/articles.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { listElements, parseXml, textsOf, type XmlElement } from '../support/parse-xml.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes settings.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(async () => {
  const signedIn = await signUpAdmin(gateway);
  await signedIn.client.putSiteSettings({ body: site });
  return signedIn;
});
beforeEach(async () => {
  await gateway.ctx.db.deleteFrom('articles').where('kind', '=', 'post').execute();
  await gateway.ctx.db.deleteFrom('categories').execute();
});

const origin = 'https://images.example';
const publish = (fields: Partial<ArticleFields> = {}) => openEditor(gateway.url, admin).createPublic(fields);
const get = (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers });
const load = async (path: string) => parseXml(await (await get(path)).text());
const channelOf = (rss: XmlElement) => listElements(rss, 'channel')[0] as XmlElement;
const loadBoth = async () => ({
  items: listElements(channelOf(await load('/blog/feed.xml')), 'item'),
  entries: listElements(await load('/blog/atom.xml'), 'entry'),
});

describe('feeds', () => {
  it.each([
    ['/blog/feed.xml', 'application/rss+xml'],
    ['/blog/atom.xml', 'application/atom+xml'],
    ['/sitemap.xml', 'application/xml'],
    ['/robots.txt', 'text/plain'],
  ])('%s has its type, and is answered with 304 to its ETag', async (path, type) => {
    await publish();
    const { status, headers } = await get(path);
    expect([status, headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const again = await get(path, { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
    if (path === '/robots.txt') return;
    await publish({ title: 'Another' });
    expect((await get(path, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(200);
  });

  it('have the posts with their whole texts', async () => {
    const { data: category } = await admin.client.adminCreateCategory({ body: { name: 'How to', description: '' } });
    const content =
      '## Before\n\n[Prices](/pricing), [above](#section-before), [other](https://x.test/a?b&c), `<a href="/x">`';
    const { id, publishedAt } = await publish({ content, excerpt: 'Read this.', categoryIds: [category.id] });
    const html =
      '<h2 id="section-before">Before</h2>\n' +
      `<p><a href="${origin}/pricing">Prices</a>, <a href="${origin}/blog/larger-images#section-before">above</a>, ` +
      '<a href="https://x.test/a?b&#x26;c" rel="noopener noreferrer">other</a>, <code>&#x3C;a href="/x"></code></p>';
    const { items, entries } = await loadBoth();
    const [item, entry] = [items[0] as XmlElement, entries[0] as XmlElement];
    expect([items.length, entries.length]).toEqual([1, 1]);
    const valuesOf = (element: XmlElement, names: string[]) => names.map((name) => textsOf(element, name)[0]);
    expect(
      valuesOf(item, ['title', 'link', 'guid', 'pubDate', 'dc:creator', 'category', 'description', 'content:encoded']),
    ).toEqual([
      'Larger images',
      `${origin}/blog/larger-images`,
      `urn:uuid:${id}`,
      new Date(publishedAt ?? '').toUTCString(),
      'Ada',
      'How to',
      'Read this.',
      html,
    ]);
    expect(valuesOf(entry, ['title', 'id', 'published', 'updated', 'summary', 'content'])).toEqual([
      'Larger images',
      `urn:uuid:${id}`,
      publishedAt,
      publishedAt,
      'Read this.',
      html,
    ]);
    expect(textsOf(listElements(entry, 'author')[0] as XmlElement, 'name')).toEqual(['Ada']);
    expect(listElements(entry, 'link')[0]?.attributes).toMatchObject({ href: `${origin}/blog/larger-images` });
    expect(listElements(entry, 'content')[0]?.attributes).toEqual({ type: 'html' });
    expect(listElements(entry, 'category')[0]?.attributes).toEqual({ term: 'How to' });
  });

  it('name the site and themselves', async () => {
    const rss = await load('/blog/feed.xml');
    const channel = channelOf(rss);
    expect([rss.name, rss.attributes.version]).toEqual(['rss', '2.0']);
    expect(textsOf(channel, 'title')).toEqual(['Images Blog']);
    expect(textsOf(channel, 'link')).toEqual([`${origin}/blog`]);
    expect(listElements(channel, 'atom:link')[0]?.attributes.href).toBe(`${origin}/blog/feed.xml`);
    const atom = await load('/blog/atom.xml');
    expect([atom.name, atom.attributes.xmlns]).toEqual(['feed', 'http://www.w3.org/2005/Atom']);
    expect(textsOf(atom, 'id')).toEqual([`${origin}/blog`]);
    expect(listElements(atom, 'link').map(({ attributes }) => attributes.href)).toEqual([
      `${origin}/blog/atom.xml`,
      `${origin}/blog`,
    ]);
    // Without posts, the documents stay the same.
    expect(textsOf(atom, 'updated')).toEqual(['1970-01-01T00:00:00.000Z']);
  });

  it('have the latest posts only, and no drafts', async () => {
    const { feedPosts } = articleLimits;
    for (let number = 1; number <= feedPosts + 1; number += 1) await publish({ title: `Post ${number}` });
    const editor = openEditor(gateway.url, admin);
    await editor.save(await editor.create(), {
      ...(await publish({ title: 'Last' })).fields,
      title: 'Draft',
      slug: 'draft',
    });
    const { items, entries } = await loadBoth();
    const titles = ['Last', ...Array.from({ length: feedPosts - 1 }, (_, n) => `Post ${feedPosts + 1 - n}`)];
    for (const list of [items, entries]) expect(list.flatMap((one) => textsOf(one, 'title'))).toEqual(titles);
  });

  it.each([...hostileTexts, 'a\u0001\u0008\u000b\uffffb', '\ud83d\ude00'])('contain %j as text', async (hostile) => {
    await gateway.ctx.db.updateTable('users').set({ firstName: hostile, lastName: '' }).execute();
    await publish({ title: 'Hostile', excerpt: hostile, content: hostile.replaceAll(/[<&{[\]$`]/g, '\\$&') });
    await gateway.ctx.db.updateTable('articles').set({ title: hostile }).execute();
    const { items, entries } = await loadBoth();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML can't contain them.
    const text = hostile.replaceAll(/[\u0001-\u0008\u000b\uffff]/g, '');
    for (const [element] of [items, entries]) {
      expect(textsOf(element as XmlElement, 'title')).toEqual([text]);
      expect(textsOf(element as XmlElement, element?.name === 'item' ? 'description' : 'summary')).toEqual([text]);
    }
    await gateway.ctx.db.updateTable('users').set({ firstName: 'Ada', lastName: '' }).execute();
  });

  it('name the site as the author of posts without one', async () => {
    await publish();
    await gateway.ctx.db.updateTable('articles').set({ authorId: null }).execute();
    const { items, entries } = await loadBoth();
    expect(textsOf(items[0] as XmlElement, 'dc:creator')).toEqual([]);
    expect(listElements(entries[0] as XmlElement, 'author')).toEqual([]);
    expect(textsOf(listElements(await load('/blog/atom.xml'), 'author')[0] as XmlElement, 'name')).toEqual(['Images']);
  });
});

describe('the sitemap', () => {
  it('has the public pages, and the posts with their last change', async () => {
    const { publishedAt } = await publish();
    const urls = listElements(await load('/sitemap.xml'), 'url');
    expect(urls.flatMap((url) => textsOf(url, 'loc'))).toEqual(
      [
        '/',
        '/pricing',
        '/documentation',
        '/documentation/reference',
        '/on-this-device',
        '/blog',
        '/about',
        '/careers',
        '/contact',
        '/help-center',
        '/status',
        '/terms-of-service',
        '/privacy-policy',
        '/blog/larger-images',
      ].map((path) => origin + path),
    );
    expect(textsOf(urls.at(-1) as XmlElement, 'lastmod')).toEqual([publishedAt]);
    expect(textsOf(urls[5] as XmlElement, 'lastmod')).toEqual([publishedAt]);
    expect(textsOf(urls[0] as XmlElement, 'lastmod')).toEqual([]);
  });

  it('names pages that exist', async () => {
    await publish();
    const urls = listElements(await load('/sitemap.xml'), 'url').flatMap((url) => textsOf(url, 'loc'));
    for (const url of urls) {
      const page = await get(new URL(url).pathname, { accept: 'text/html' });
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining(`<link rel="canonical" href="${url}" data-page />`),
      ]);
    }
  });
});

describe('robots.txt', () => {
  it('names the sitemap, and closes what is not public', async () => {
    const text = await (await get('/robots.txt')).text();
    expect(text).toContain(`\nSitemap: ${origin}/sitemap.xml\n`);
    expect(text.startsWith('User-agent: *\n')).toBe(true);
    for (const path of ['/admin', '/api/', '/v1/', '/dashboard', '/account', '/auth', '/preview/', '/reset-password'])
      expect(text).toContain(`\nDisallow: ${path}\n`);
    const closed = [...text.matchAll(/^Disallow: (.*)$/gm)].map(([, path = '']) => path);
    for (const path of ['/', '/pricing', '/blog', '/blog/a', '/documentation/reference', '/assets/app-1a2b.js'])
      expect(closed.filter((start) => path.startsWith(start))).toEqual([]);
  });

  it('is available during maintenance', async () => {
    await admin.client.putSiteSettings({ body: { ...site, maintenanceMode: true } });
    expect([(await get('/robots.txt')).status, (await get('/sitemap.xml')).status]).toEqual([200, 503]);
    await admin.client.putSiteSettings({ body: site });
  });
});
