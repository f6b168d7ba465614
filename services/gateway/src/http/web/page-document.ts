import type { SeoSettings, SiteSettings } from '@uprez/contracts/schemas/admin/settings';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { pageDescriptions, publicPages } from '@uprez/contracts/texts/site/page-descriptions';
import { formatTitle, notFoundTitle, pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { feedPaths, sitePaths } from '@uprez/contracts/texts/site/pages';

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Returns a script tag with structured data (schema.org). The content security policy allows it, because browsers don't
 * execute it. Strings are escaped to keep them from ending the script.
 */
export const renderStructuredData = (facts: Record<string, unknown>): string => {
  const json = JSON.stringify({ '@context': 'https://schema.org', ...facts });
  const escaped = json.replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<script type="application/ld+json" ${pageTag}>${escaped}</script>`;
};

/** Attribute of tags that belong to the current page only. The app removes these tags when it opens another page. */
export const pageTag = 'data-page';

export const link = (path: string, label: string): string => `<a href="${escapeHtml(path)}">${escapeHtml(label)}</a>`;

/** Returns the page content that is shown until the app starts, or if JavaScript is unavailable. Omits empty parts. */
export const servedMain = (parts: readonly (string | null)[]): string =>
  `<main data-served>\n${parts.filter(Boolean).join('\n')}\n</main>`;

/** Title of a page without the site name, and its description in search results. */
export type PageHead = {
  title: string;
  /** Defaults to the description in the SEO settings. */
  description?: string | undefined;
};

type DescribedText = { title: string; excerpt: string; seo: { title: string; description: string } };

/** Returns the title of a text, and its description or excerpt. If it has neither, the site's description is used. */
export const headOf = ({ title, excerpt, seo }: DescribedText): PageHead => ({
  title: seo.title || title,
  description: seo.description || excerpt || undefined,
});

export type PageSettings = { seo: SeoSettings; site: SiteSettings };
/** `path` is relative to the site's root. */
type Crumb = { name: string; path: string };

/** Image that social networks show for a page. `url`: root-relative. */
type PageImage = { url: string; width: number; height: number; alt: string };

/** Head of a page, and its content before the app has started. */
export type PageDocument = {
  /** Defaults to the title and description in the SEO settings. */
  head?: PageHead;
  /** Path and query string. If absent, search engines are told not to list the page. */
  canonical?: string;
  crumbs?: readonly Crumb[];
  hasFeeds?: boolean;
  tags?: (settings: PageSettings) => string[];
  ogType?: 'article';
  /** Defaults to the image in the SEO settings. */
  image?: PageImage | undefined;
  body?: string;
  /** Whether the page runs WebAssembly in several threads, which requires that it loads nothing from other sites. */
  isIsolated?: boolean;
};

/** The document for a URL, or the path that the page has moved to. */
export type FoundPage = { page: PageDocument; movedTo?: undefined } | { movedTo: string; page?: undefined };

/** Returns a regular expression that matches a path and captures its parameters, which begin with a colon. */
export const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`);

/** Returns a URL's query string with its question mark, or an empty string. */
export const queryOf = (url: string): string => /\?[^#]*/.exec(url)?.[0] ?? '';

export const missingPage: PageDocument = { head: { title: notFoundTitle } };

const adminPatterns = Object.values(adminPages).map((page) => new RegExp(`^${page.replace(/:\w+/g, '[^/]+')}$`));
const titles: Record<string, string | undefined> = pageTitles;
const descriptions: Record<string, string | undefined> = pageDescriptions;

export function findDocument(path: string): PageDocument {
  if (path === sitePaths.home) return { canonical: path };
  const isAdmin = adminPatterns.some((pattern) => pattern.test(path));
  const title = titles[isAdmin ? sitePaths.admin : path];
  if (!title) return missingPage;
  const description = descriptions[path];
  if (!description) return { head: { title } };
  const page = { head: { title, description }, canonical: path, crumbs: [{ name: title, path }] };
  return path === sitePaths.local ? { ...page, isIsolated: true } : page;
}

export const hasAnalytics = ({ googleAnalyticsId, googleTagManagerId }: SeoSettings): boolean =>
  googleAnalyticsId !== '' || googleTagManagerId !== '';

/** Returns the absolute URL of a path, on the site URL from the settings. */
export const siteUrlOf = ({ site }: Pick<PageSettings, 'site'>, path: string): string =>
  site.siteUrl.replace(/\/+$/, '') + path;

/**
 * Returns a page's head tags for search engines and social networks. `tracks` is whether analytics may be loaded after
 * consent.
 */
export function makeHead(settings: PageSettings, page: PageDocument, tracks: boolean): string {
  const { seo, site } = settings;
  const title = titleOf(settings, page);
  const description = page.head?.description ?? seo.metaDescription;
  const tags = [
    `<title>${escapeHtml(title)}</title>`,
    siteMeta('name', 'description', description),
    // The app reads these attributes: the title and description for the home page, and the site name for all other
    // pages.
    `<meta name="application-name" content="${escapeHtml(site.siteName)}" data-title="${escapeHtml(seo.metaTitle)}" data-description="${escapeHtml(seo.metaDescription)}" />`,
  ];
  if (page.canonical === undefined) return [...tags, pageMeta('name', 'robots', 'noindex')].join('\n');
  const isHome = page.canonical === sitePaths.home;
  return [
    ...tags,
    siteMeta('name', 'keywords', seo.metaKeywords),
    ...shareTags(settings, page, {
      title: (isHome && seo.ogTitle) || title,
      description: (isHome && seo.ogDescription) || description,
      url: siteUrlOf(settings, page.canonical),
    }),
    ...(isHome ? describeSite(settings) : describeCrumbs(settings, page)),
    ...(page.hasFeeds ? feedTags(settings) : []),
    ...(page.tags?.(settings) ?? []),
    tracks && consentTag(seo),
  ]
    .filter(Boolean)
    .join('\n');
}

function titleOf({ seo, site }: PageSettings, page: PageDocument): string {
  if (!page.head) return seo.metaTitle;
  return page === missingPage ? page.head.title : formatTitle(page.head.title, site.siteName);
}

type ShareInput = { title: string; description: string; url: string };

const shareTags = (settings: PageSettings, page: PageDocument, { title, description, url }: ShareInput): string[] => [
  `<link rel="canonical" href="${escapeHtml(url)}" ${pageTag} />`,
  pageMeta('property', 'og:type', page.ogType ?? 'website'),
  siteMeta('property', 'og:site_name', settings.site.siteName),
  pageMeta('property', 'og:title', title),
  pageMeta('property', 'og:description', description),
  pageMeta('property', 'og:url', url),
  ...(page.image ? imageTags(settings, page.image) : [siteMeta('property', 'og:image', settings.seo.ogImage)]),
  siteMeta('name', 'twitter:card', settings.seo.twitterCard),
  siteMeta('name', 'twitter:site', settings.seo.twitterSite),
];

function imageTags(settings: PageSettings, { url, width, height, alt }: PageImage): string[] {
  const content = siteUrlOf(settings, url);
  return [
    pageMeta('property', 'og:image', content),
    pageMeta('property', 'og:image:width', String(width)),
    pageMeta('property', 'og:image:height', String(height)),
    pageMeta('property', 'og:image:alt', alt),
    pageMeta('name', 'twitter:image', content),
    pageMeta('name', 'twitter:image:alt', alt),
  ];
}

/** Returns structured data about the site and its owner. Search engines display the names in it. */
function describeSite(settings: PageSettings): string[] {
  const { siteName, siteDescription, company, contactEmail } = settings.site;
  const url = siteUrlOf(settings, '/');
  const logo = siteUrlOf(settings, '/favicon.svg');
  return [
    renderStructuredData({ '@type': 'WebSite', name: siteName, description: siteDescription, url }),
    renderStructuredData({ '@type': 'Organization', name: company || siteName, url, logo, email: contactEmail }),
  ];
}

function describeCrumbs(settings: PageSettings, { crumbs = [] }: PageDocument): string[] {
  const steps = [{ name: settings.site.siteName, path: '/' }, ...crumbs];
  const itemListElement = steps.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: siteUrlOf(settings, path),
  }));
  return [renderStructuredData({ '@type': 'BreadcrumbList', itemListElement })];
}

const feedTypes = { rss: 'application/rss+xml', atom: 'application/atom+xml' } as const;

const feedTags = (settings: PageSettings) =>
  (['rss', 'atom'] as const).map(
    (format) =>
      `<link rel="alternate" type="${feedTypes[format]}" title="${escapeHtml(settings.site.siteName)}" href="${escapeHtml(siteUrlOf(settings, feedPaths[format]))}" ${pageTag} />`,
  );

/** Pages on which analytics may be loaded. An asterisk matches the rest of a path. */
const trackedPages = [
  // Excludes the page that processes images in the browser.
  ...publicPages.filter((path) => path !== sitePaths.local),
  ...[sitePaths.blog, sitePaths.help, sitePaths.careers].map((path) => `${path}/*`),
].join(' ');

/**
 * Returns the tag for the script that asks for consent. The script's file name has no hash, because the gateway adds
 * the tag only if a Google ID is configured, and doesn't know the hashes in the build.
 */
const consentTag = ({ googleAnalyticsId, googleTagManagerId }: SeoSettings) =>
  `<script type="module" src="/consent.js" data-consent data-analytics="${escapeHtml(googleAnalyticsId)}" data-tag-manager="${escapeHtml(googleTagManagerId)}" data-pages="${trackedPages}"></script>`;

type Kind = 'name' | 'property';
const attributesOf = (kind: Kind, name: string, content: string) =>
  `${kind}="${name}" content="${escapeHtml(content)}"`;

/** Returns a meta tag that applies to the whole site, or an empty string if `content` is empty. */
const siteMeta = (kind: Kind, name: string, content: string) =>
  content && `<meta ${attributesOf(kind, name, content)} />`;

/** Returns a meta tag that applies only to the current page, or an empty string if `content` is empty. */
export const pageMeta = (kind: Kind, name: string, content: string): string =>
  content && `<meta ${attributesOf(kind, name, content)} ${pageTag} />`;
