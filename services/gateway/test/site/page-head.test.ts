import type { SeoSettings } from '@uprez/contracts/schemas/admin/settings';
import { pageDescriptions } from '@uprez/contracts/texts/site/page-descriptions';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { seo, signUpAdmin, site } from '../support/accounts/admin-calls.ts';
import { readFacts } from '../support/read-facts.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes settings.
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
  it('of the home page has the SEO settings', async () => {
    await put({});
    const text = await textOf('/');
    for (const tag of [
      '<title>Larger images</title>',
      '<meta name="description" content="Images become larger here." />',
      '<meta property="og:title" content="Share larger images" data-page />',
      '<meta property="og:description" content="Images become larger here." data-page />',
      '<meta property="og:url" content="https://images.example/" data-page />',
    ])
      expect(text).toContain(tag);
  });

  it.each([
    ['/pricing', 'Pricing'],
    ['/documentation', 'Documentation'],
    ['/documentation/reference', 'API explorer'],
    ['/terms-of-service', 'Terms of Service'],
  ])('%s has its own title and description', async (path, name) => {
    await put({});
    const text = await textOf(path);
    const description = pageDescriptions[path as keyof typeof pageDescriptions];
    expect(description).not.toBe('');
    for (const tag of [
      `<title>${name} - Images</title>`,
      `<meta name="description" content="${description}" />`,
      `<meta property="og:title" content="${name} - Images" data-page />`,
      `<meta property="og:description" content="${description}" data-page />`,
      `<meta property="og:url" content="https://images.example${path}" data-page />`,
      '<meta name="application-name" content="Images" data-title="Larger images" data-description="Images become larger here." />',
    ])
      expect(text).toContain(tag);
  });

  it.each(['/', '/pricing', '/blog'])('%s has the SEO settings of all pages, and each tag once', async (path) => {
    await put({});
    const text = await textOf(path);
    for (const tag of [
      '<meta name="keywords" content="images, upscaling" />',
      `<link rel="canonical" href="https://images.example${path}" data-page />`,
      '<meta property="og:type" content="website" data-page />',
      '<meta property="og:site_name" content="Images" />',
      '<meta property="og:image" content="https://images.example/card.png" />',
      '<meta name="twitter:card" content="summary" />',
      '<meta name="twitter:site" content="@images" />',
    ])
      expect(text).toContain(tag);
    for (const tag of ['<title', 'name="description"', 'rel="canonical"', 'og:title', 'og:url'])
      expect(countOf(text, tag)).toBe(1);
  });

  it('describes the site and its owner to search engines on the home page only', async () => {
    const siteDescription = '</script>\u2028<script>alert(1)</script>';
    await admin.client.putSiteSettings({ body: { ...site, siteDescription } });
    const text = await textOf('/');
    expect(readFacts(text)).toEqual([
      {
        '@context': 'https://schema.org',
        '@type': 'WebSite',
        name: 'Images',
        description: siteDescription,
        url: 'https://images.example/',
      },
      {
        '@context': 'https://schema.org',
        '@type': 'Organization',
        name: site.company,
        url: 'https://images.example/',
        logo: 'https://images.example/favicon.svg',
        email: site.contactEmail,
      },
    ]);
    expect(text).not.toMatch(/<script>alert|\u2028/);
  });

  it('describes the way to other pages', async () => {
    expect(readFacts(await textOf('/pricing'))).toEqual([
      {
        '@context': 'https://schema.org',
        '@type': 'BreadcrumbList',
        itemListElement: [
          { '@type': 'ListItem', position: 1, name: 'Images', item: 'https://images.example/' },
          { '@type': 'ListItem', position: 2, name: 'Pricing', item: 'https://images.example/pricing' },
        ],
      },
    ]);
  });

  it('leaves out empty tags', async () => {
    await put({ metaKeywords: '', ogImage: '', twitterSite: '' });
    expect(await textOf('/')).not.toMatch(/keywords|og:image|twitter:site/);
  });

  it.each(['/auth', '/dashboard', '/admin', '/reset-password?token=secret', '/nothing'])(
    'keeps %s out of search engines',
    async (path) => {
      const text = await textOf(path);
      expect(text).toContain('<meta name="robots" content="noindex" data-page />');
      expect(text).not.toMatch(/canonical|og:|secret|ld\+json/);
    },
  );

  it.each([
    ['/auth', 'Sign In - Images'],
    ['/dashboard', 'Dashboard - Images'],
    ['/admin', 'Admin - Images'],
    ['/admin/users/1', 'Admin - Images'],
    ['/nothing', '404 Page Not Found'],
    ['/admin/nothing/at/all', '404 Page Not Found'],
    ['/__proto__', '404 Page Not Found'],
  ])('%s has the title %s', async (path, title) => {
    expect(await textOf(path)).toContain(`<title>${title}</title>`);
  });

  it('ignores the query string and a trailing slash in canonical URLs', async () => {
    for (const path of ['/pricing/', '/pricing?plan=pro'])
      expect(await textOf(path)).toContain('<link rel="canonical" href="https://images.example/pricing" data-page />');
  });

  it.each(['$&', "$`$'$1", '</title><script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '&lt;', '<!--'])(
    'contains the title %s as text',
    async (metaTitle) => {
      await put({ metaTitle, metaDescription: metaTitle, ogTitle: metaTitle });
      await admin.client.putSiteSettings({ body: { ...site, siteName: metaTitle } });
      const text = await textOf('/');
      const escaped = metaTitle.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
      expect(text).toContain(`<title>${escaped}</title>`);
      expect(text).toContain(`<meta property="og:title" content="${escaped}" data-page />`);
      expect(await textOf('/pricing')).toContain(`<title>Pricing - ${escaped}</title>`);
      expect(readFacts(text)[0]).toMatchObject({ name: metaTitle });
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
    await admin.client.putSiteSettings({ body: { ...site, siteName: 'Another name' } });
    const changed = await get('/pricing', { 'if-none-match': etag });
    expect([changed.status, await changed.text()]).toEqual([200, expect.stringContaining('Pricing - Another name')]);
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
