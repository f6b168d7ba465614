import type { SeoSettings } from '@uprez/contracts/schemas/seo-settings';
import type { SiteSettings } from '@uprez/contracts/schemas/settings';
import { documentationPage, sitePaths } from '@uprez/contracts/texts/pages';

/** Pages for search engines. The others are for users, or carry secrets in their URLs. */
const publicPages: ReadonlySet<string> = new Set([
  sitePaths.home,
  sitePaths.pricing,
  documentationPage,
  sitePaths.reference,
  sitePaths.terms,
  sitePaths.privacy,
]);

/** A page around its title and description, and these as they were built. */
export type PageParts = { before: string; built: string; after: string };

const ownTags = /<title>[\s\S]*?<\/title>\s*|<meta\s+name="description"[^>]*>\s*/g;

/** Cuts a built page at its title, and takes its title and description out. Throws if it has no title. */
export function cutPage(html: string): PageParts {
  const at = html.indexOf('<title>');
  if (at < 0) throw new Error('The built page has no title.');
  const strip = (text: string) => text.replaceAll(ownTags, '');
  const built = (html.match(ownTags) ?? []).join('').trim();
  return { before: strip(html.slice(0, at)), built, after: strip(html.slice(at)) };
}

/** Joins instead of replacing: `$&` in a title is a pattern for `replace`. */
export const joinPage = ({ before, after }: Omit<PageParts, 'built'>, head: string): string =>
  `${before}${head}\n${after}`;

/** `tracks`: whether analytics may be loaded after consent. */
type HeadFacts = Pick<SiteSettings, 'siteName' | 'siteDescription' | 'siteUrl'> & { seo: SeoSettings; tracks: boolean };

/** Whether the settings name a service of Google. */
export const hasAnalytics = ({ googleAnalyticsId, googleTagManagerId }: SeoSettings): boolean =>
  googleAnalyticsId !== '' || googleTagManagerId !== '';

/** The path that a head is for, as a key of caches: all pages that aren't public have the same head. */
export const headPath = (path: string): string | undefined => (publicPages.has(path) ? path : undefined);

/** The tags of a page for search engines and social networks. `path`: of a public page; undefined: of any other one. */
export function makeHead({ seo, tracks, ...site }: HeadFacts, path: string | undefined): string {
  // The app removes the title once the page has its own.
  const tags = [
    `<title data-served>${escapeHtml(seo.metaTitle)}</title>`,
    meta('name', 'description', seo.metaDescription),
  ];
  if (path === undefined) return [...tags, meta('name', 'robots', 'noindex')].join('\n');
  const url = site.siteUrl.replace(/\/+$/, '') + path;
  return [
    ...tags,
    meta('name', 'keywords', seo.metaKeywords),
    `<link rel="canonical" href="${escapeHtml(url)}" />`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', site.siteName),
    meta('property', 'og:title', seo.ogTitle || seo.metaTitle),
    meta('property', 'og:description', seo.ogDescription || seo.metaDescription),
    meta('property', 'og:url', url),
    meta('property', 'og:image', seo.ogImage),
    meta('name', 'twitter:card', seo.twitterCard),
    meta('name', 'twitter:site', seo.twitterSite),
    path === sitePaths.home && describeSite(site, url),
    tracks && consentTag(seo),
  ]
    .filter(Boolean)
    .join('\n');
}

/** The site as structured data (schema.org), from which search engines take its name. */
function describeSite({ siteName, siteDescription }: Omit<HeadFacts, 'seo' | 'tracks'>, url: string): string {
  const facts = {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: siteName,
    description: siteDescription,
    url,
  };
  return `<script type="application/ld+json">${JSON.stringify(facts).replaceAll('<', '\\u003c')}</script>`;
}

/** The script that asks for consent. Its URL has no hash, because only pages with an ID name it. */
const consentTag = ({ googleAnalyticsId, googleTagManagerId }: SeoSettings) =>
  `<script type="module" src="/consent.js" data-consent data-analytics="${escapeHtml(googleAnalyticsId)}" data-tag-manager="${escapeHtml(googleTagManagerId)}" data-pages="${[...publicPages].join(' ')}"></script>`;

/** A meta tag, or an empty text without content. */
const meta = (kind: 'name' | 'property', name: string, content: string) =>
  content && `<meta ${kind}="${name}" content="${escapeHtml(content)}" />`;

/** Escapes a text for HTML, also in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
