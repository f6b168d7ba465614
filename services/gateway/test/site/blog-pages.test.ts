import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { seo, signUpAdmin, site } from '../support/accounts/admin-calls.ts';
import { openEditor } from '../support/articles.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { readFacts } from '../support/read-facts.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes settings, and deletes the first pages.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(async () => {
  const signedIn = await signUpAdmin(gateway);
  await signedIn.client.putSiteSettings({ body: site });
  await signedIn.client.putSeoSettings({ body: seo });
  return signedIn;
});
beforeEach(async () => {
  await gateway.ctx.db.deleteFrom('articles').execute();
  await gateway.ctx.db.deleteFrom('categories').execute();
});

const origin = 'https://images.example';
const open = () => openEditor(gateway.url, admin);
const publish = (fields: Partial<ArticleFields> = {}) => open().createPublic(fields);
const createCategory = async (name: string, description = '') =>
  (await admin.client.adminCreateCategory({ body: { name, description } })).data;
const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(gateway.url + path, {
    headers: { accept: 'text/html', ...headers },
    redirect: 'manual',
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const rootOf = (text: string) => text.slice(text.indexOf('<div id="root">'));

describe('the page of a post', () => {
  it('has the head and the text of the post', async () => {
    const { id, name } = await createCategory('How to');
    const { publishedAt } = await publish({
      title: 'Larger images',
      excerpt: 'How images become larger.',
      content: '## Before\n\nUpscale **images**.',
      categoryIds: [id],
    });
    const { status, headers, text } = await get('/blog/larger-images');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-cache');
    for (const tag of [
      '<title>Larger images - Images</title>',
      '<meta name="description" content="How images become larger." />',
      `<link rel="canonical" href="${origin}/blog/larger-images" data-page />`,
      '<meta property="og:type" content="article" data-page />',
      '<meta property="og:title" content="Larger images - Images" data-page />',
      `<meta property="og:image" content="${seo.ogImage}" />`,
      `<meta property="article:published_time" content="${publishedAt}" data-page />`,
      '<meta property="article:tag" content="How to" data-page />',
      `<link rel="alternate" type="application/rss+xml" title="Images" href="${origin}/blog/feed.xml" data-page />`,
      `<link rel="alternate" type="application/atom+xml" title="Images" href="${origin}/blog/atom.xml" data-page />`,
    ])
      expect(text).toContain(tag);
    expect(readFacts(text)[1]).toEqual({
      '@context': 'https://schema.org',
      '@type': 'BlogPosting',
      headline: 'Larger images',
      description: 'How images become larger.',
      image: seo.ogImage,
      datePublished: publishedAt,
      dateModified: publishedAt,
      author: { '@type': 'Person', name: 'Ada' },
      publisher: { '@type': 'Organization', name: site.company, url: `${origin}/` },
      mainEntityOfPage: `${origin}/blog/larger-images`,
      articleSection: [name],
    });
    const body = rootOf(text);
    for (const part of [
      '<h1>Larger images</h1>',
      '<h2 id="section-before">Before</h2>\n<p>Upscale <strong>images</strong>.</p>',
      'Ada · <time datetime=',
      '<a href="/blog/category/how-to">How to</a>',
    ])
      expect(body).toContain(part);
  });

  it('prefers the texts for search engines, and else has the description of the site', async () => {
    await publish({ title: 'One', seo: { title: 'Found', description: 'Read this.' } });
    const { text } = await get('/blog/one');
    expect(text).toContain('<title>Found - Images</title>');
    expect(text).toContain('content="Read this."');
    await publish({ title: 'Two' });
    expect((await get('/blog/two')).text).toContain(`name="description" content="${seo.metaDescription}"`);
  });

  it('is answered with 304 to its ETag until the post changes', async () => {
    const editor = open();
    const post = await publish();
    const etag = (await get('/blog/larger-images')).headers.get('etag') ?? '';
    expect((await get('/blog/larger-images', { 'if-none-match': etag })).status).toBe(304);
    await editor.publish(await editor.save(post, { ...post.fields, content: 'Another text.' }));
    const changed = await get('/blog/larger-images', { 'if-none-match': etag });
    expect([changed.status, changed.text]).toEqual([200, expect.stringContaining('Another text.')]);
  });

  it.each(hostileTexts)('contains %j as text', async (hostile) => {
    const { id } = await createCategory(hostile.slice(0, 40));
    await gateway.ctx.db.updateTable('users').set({ firstName: hostile, lastName: '' }).execute();
    const content = `\`${hostile}\` ${hostile.replaceAll(/[<{]/g, '\\$&')}`;
    const fields = { title: hostile, slug: 'hostile', excerpt: hostile, content, categoryIds: [id] };
    await publish(fields);
    for (const path of ['/blog/hostile', '/blog', '/blog/category/', `/blog?${hostile}`]) {
      const { text } = await get(path);
      expect(text).not.toMatch(/<script>|<img|<x|<!--|\u2028<\/script/);
      expect(text.split('<div id="root">')).toHaveLength(2);
      expect(text.split('</title>')).toHaveLength(2);
      expect(text.endsWith('</div>')).toBe(true);
    }
    expect(rootOf((await get('/blog')).text)).toContain(`<a href="/blog/hostile">${escaped(hostile)}</a>`);
    const { text } = await get('/blog/hostile');
    expect(text).toContain(`<title>${escaped(hostile)} - Images</title>`);
    expect(readFacts(text)[1]).toMatchObject({ headline: hostile, description: hostile });
    expect(rootOf(text)).toContain(`<h1>${escaped(hostile)}</h1>`);
    expect(rootOf((await get('/blog')).text)).toContain(`${escaped(hostile)}</a></h2>`);
    await gateway.ctx.db.updateTable('users').set({ firstName: 'Ada', lastName: '' }).execute();
  });
});

describe('the address of a post', () => {
  it.each(['unknown', 'draft', 'later', 'gone'])('is answered with 404 if the post is not public: %s', async (slug) => {
    const editor = open();
    const { id, version } = await publish({ title: 'Gone' });
    await admin.client.adminUnpublishArticle({ params: { id }, body: { version } });
    await editor.save(await editor.create(), { ...(await editor.get(id)).fields, title: 'Draft', slug: 'draft' });
    const later = await editor.save(await editor.create(), { ...(await editor.get(id)).fields, slug: 'later' });
    await editor.publish(later, '2100-01-01T00:00:00Z');
    const { status, text, headers } = await get(`/blog/${slug}`);
    expect([status, headers.get('x-error-code')]).toEqual([404, 'not_found']);
    expect(text).toContain('<title>404 Page Not Found</title>');
    expect(text).toContain('<meta name="robots" content="noindex" data-page />');
    expect(text).not.toMatch(/canonical|Upscale/);
  });

  it('redirects from former slugs, until another post has one', async () => {
    const editor = open();
    const post = await publish({ slug: 'first' });
    const renamed = await editor.publish(await editor.save(post, { ...post.fields, slug: 'second' }));
    await editor.publish(await editor.save(renamed, { ...post.fields, slug: 'third' }));
    for (const path of ['/blog/first', '/blog/second', '/blog/first/', '/blog/THIRD']) {
      const { status, headers } = await get(path);
      expect([status, headers.get('location')]).toEqual([301, '/blog/third']);
    }
    expect((await get('/blog/first?utm_source=a&b=%2F#c')).headers.get('location')).toBe(
      '/blog/third?utm_source=a&b=%2F',
    );
    await publish({ slug: 'first', title: 'Another' });
    const { status, text } = await get('/blog/first');
    expect([status, text]).toEqual([200, expect.stringContaining('<h1>Another</h1>')]);
  });

  it.each(["/blog/a'b", '/blog/%00', '/blog/..%2f', `/blog/${'a'.repeat(500)}`, '/blog/a/b', '/blog/%E2%80%A8'])(
    'is answered with 404 where no post can be: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

describe('the list of posts', () => {
  it('links to the posts and to its other pages', async () => {
    for (let number = 1; number <= 14; number += 1) await publish({ title: `Post ${number}`, featured: number === 3 });
    const first = await get('/blog');
    const second = await get('/blog?page=2');
    expect(first.text).toContain('<title>Blog - Images</title>');
    expect(second.text).toContain('<title>Blog, page 2 - Images</title>');
    expect(first.text).toContain(`<link rel="canonical" href="${origin}/blog" data-page />`);
    expect(second.text).toContain(`<link rel="canonical" href="${origin}/blog?page=2" data-page />`);
    const linksOf = ({ text }: { text: string }) =>
      [...rootOf(text).matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
    const posts = (from: number, to: number) =>
      Array.from({ length: from - to + 1 }, (_, n) => `/blog/post-${from - n}`).filter((path) => !path.endsWith('-3'));
    const nav = ['/', '/blog'];
    expect(linksOf(first)).toEqual([...nav, '/blog/post-3', ...posts(14, 2), '/blog?page=2']);
    expect(linksOf(second)).toEqual([...nav, ...posts(1, 1), '/blog']);
  });

  it('has an address for each page only', async () => {
    await publish();
    for (const query of ['?page=1', '?utm=1', '?mypage=0'])
      expect((await get(`/blog${query}`)).text).toContain(`href="${origin}/blog" data-page`);
    for (const page of ['2', '9999', '10000', '0', '01', '-1', 'a', '1e9', ''])
      expect([page, (await get(`/blog?page=${page}`)).status]).toEqual([page, 404]);
    expect((await get('/blog/')).status).toBe(200);
  });

  it('is public without posts', async () => {
    const { status, text } = await get('/blog');
    expect([status, rootOf(text)]).toEqual([200, expect.stringContaining('<h1>Blog</h1>')]);
  });

  it('of a category has its name and description', async () => {
    const { id } = await createCategory('How to', 'Step by step.');
    await publish({ title: 'Inside', categoryIds: [id] });
    await publish({ title: 'Outside' });
    const { status, text } = await get('/blog/category/how-to');
    expect(status).toBe(200);
    for (const part of [
      '<title>How to - Blog - Images</title>',
      '<meta name="description" content="Step by step." />',
      `<link rel="canonical" href="${origin}/blog/category/how-to" data-page />`,
      '<h1>How to</h1>\n<p>Step by step.</p>',
      'Inside',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('Outside');
    expect((await get('/blog/category/unknown')).status).toBe(404);
    for (const page of ['2', '10000', 'a']) expect((await get(`/blog/category/how-to?page=${page}`)).status).toBe(404);
    const moved = await get('/blog/category/How-To?page=1');
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/blog/category/how-to?page=1']);
  });

  it('of a renamed category redirects from former slugs, until another category takes them', async () => {
    const { adminUpdateCategory, adminCreateCategory, adminDeleteCategory } = admin.client;
    const create = async (name: string) => (await adminCreateCategory({ body: { name, slug: 'first-name' } })).data.id;
    const moved = async () => {
      const { status, headers } = await get('/blog/category/first-name?page=1');
      return [status, headers.get('location')];
    };
    const id = await create('First name');
    for (const slug of ['second-name', 'third-name']) await adminUpdateCategory({ params: { id }, body: { slug } });
    expect(await moved()).toEqual([301, '/blog/category/third-name?page=1']);
    const list = await fetch(`${gateway.url}/api/blog/posts?category=first-name`);
    expect(await list.json()).toMatchObject({ category: 'third-name', posts: [] });
    const other = await create('Other');
    expect(await moved()).toEqual([200, null]);
    for (const one of [other, id]) await adminDeleteCategory({ params: { id: one } });
    expect(await moved()).toEqual([404, null]);
  });
});

it('previews are not listed, stored, or named to other sites', async () => {
  const { status, headers, text } = await get('/preview/secret-token');
  expect(status).toBe(200);
  expect(text).toContain('<title>Preview - Images</title>');
  expect(text).toContain('<meta name="robots" content="noindex" data-page />');
  expect(text).not.toMatch(/canonical|secret-token/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('same-origin');
});

it('posts are answered with 503 and the page of the app while PostgreSQL is away', async () => {
  const away = await startTestGateway({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' });
  for (const path of ['/blog', '/blog/larger-images', '/blog/category/how-to']) {
    const response = await fetch(away.url + path, { headers: { accept: 'text/html' } });
    expect([response.status, response.headers.get('x-error-code')]).toEqual([503, 'service_unavailable']);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.text()).toMatch(/<div id="root"><noscript>.*couldn't load.*<\/noscript><\/div>/s);
  }
  await away.close();
});
