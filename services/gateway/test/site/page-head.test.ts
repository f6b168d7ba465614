import type { SeoSettings } from '@uprez/contracts/schemas/seo-settings';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { seo, signUpAdmin, site } from '../support/accounts/admin-calls.ts';
import { readSite } from '../support/accounts/read-site.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
beforeEach(async () => {
  await gateway.ctx.db.deleteFrom('settings').execute();
  await admin.client.putSiteSettings({ body: site });
});

const put = (values: Partial<SeoSettings>) => admin.client.putSeoSettings({ body: { ...seo, ...values } });
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, { headers: { accept: 'text/html', 'accept-encoding': 'identity', ...headers } });
const textOf = async (path: string) => (await get(path)).text();
const countOf = (text: string, part: string) => text.split(part).length - 1;

describe('the head of a page', () => {
  it.each(['/', '/pricing', '/documentation'])('%s has the SEO settings and its own canonical URL', async (path) => {
    await put({});
    const text = await textOf(path);
    for (const tag of [
      '<title data-served>Larger images</title>',
      '<meta name="description" content="Images become larger here." />',
      '<meta name="keywords" content="images, upscaling" />',
      `<link rel="canonical" href="https://images.example${path}" />`,
      '<meta property="og:site_name" content="Images" />',
      '<meta property="og:title" content="Share larger images" />',
      '<meta property="og:description" content="Images become larger here." />',
      `<meta property="og:url" content="https://images.example${path}" />`,
      '<meta property="og:image" content="https://images.example/card.png" />',
      '<meta name="twitter:card" content="summary" />',
      '<meta name="twitter:site" content="@images" />',
    ])
      expect(text).toContain(tag);
    expect(countOf(text, '<title')).toBe(1);
    expect(countOf(text, 'name="description"')).toBe(1);
  });

  it('describes the site to search engines on the home page only', async () => {
    const siteDescription = '</script><script>alert(1)</script>';
    await admin.client.putSiteSettings({ body: { ...site, siteDescription } });
    const text = await textOf('/');
    expect(readSite(text)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      name: 'Images',
      description: siteDescription,
      url: 'https://images.example/',
    });
    expect(text).not.toContain('<script>alert');
    expect(await textOf('/pricing')).not.toContain('ld+json');
  });

  it('leaves out empty tags', async () => {
    await put({ metaKeywords: '', ogImage: '', twitterSite: '' });
    expect(await textOf('/')).not.toMatch(/keywords|og:image|twitter:site/);
  });

  it.each(['/auth', '/dashboard', '/admin', '/reset-password?token=secret', '/nothing'])(
    'keeps %s out of search engines',
    async (path) => {
      const text = await textOf(path);
      expect(text).toContain('<meta name="robots" content="noindex" />');
      expect(text).not.toMatch(/canonical|og:|secret/);
    },
  );

  it('ignores the query string and a trailing slash in canonical URLs', async () => {
    for (const path of ['/pricing/', '/pricing?plan=pro'])
      expect(await textOf(path)).toContain('<link rel="canonical" href="https://images.example/pricing" />');
  });

  it.each(['$&', "$`$'$1", '</title><script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '&lt;', '<!--'])(
    'contains the title %s as text',
    async (metaTitle) => {
      await put({ metaTitle, metaDescription: metaTitle, ogTitle: metaTitle });
      const text = await textOf('/');
      const escaped = metaTitle.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
      expect(text).toContain(`<title data-served>${escaped}</title>`);
      expect(text).toContain(`<meta property="og:title" content="${escaped}" />`);
      expect(text).not.toMatch(/<script>alert|<img|<!--/);
      expect(countOf(text, '<div id="root">')).toBe(1);
    },
  );
});

describe('caching of pages', () => {
  it('answers 304 to the ETag, until the settings change', async () => {
    await put({});
    const etag = (await get('/pricing')).headers.get('etag') ?? '';
    expect((await get('/pricing', { 'if-none-match': etag })).status).toBe(304);
    expect((await get('/', { 'if-none-match': etag })).status).toBe(200);
    await put({ metaTitle: 'Another title' });
    const changed = await get('/pricing', { 'if-none-match': etag });
    expect([changed.status, await changed.text()]).toEqual([200, expect.stringContaining('Another title')]);
  });

  it('compresses pages, with an ETag for each encoding', async () => {
    await put({});
    const etags = new Set<string | null>();
    for (const encoding of ['br', 'gzip', 'identity', 'br;q=0, gzip;q=0']) {
      const response = await get('/', { 'accept-encoding': encoding });
      etags.add(response.headers.get('etag'));
      expect(response.headers.get('content-encoding')).toBe(/^(br|gzip)$/.test(encoding) ? encoding : null);
      expect(response.headers.get('vary')).toMatch(/accept-encoding/);
      expect(await response.text()).toContain('Larger images');
    }
    expect(etags.size).toBe(3);
  });
});

it('pages are sent with their built title while PostgreSQL is away', async () => {
  const away = await startTestGateway({}, undefined, (deps) => ({
    settings: { ...deps.settings, read: () => Promise.reject(new Error('connection refused')) },
  }));
  const page = await fetch(`${away.url}/pricing`, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>Uprez</title>')]);
  await away.close();
});
