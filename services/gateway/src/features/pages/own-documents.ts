import type {
  LegalText,
  LegalVersion,
  Position,
  PositionCard,
  SitePage,
} from '@uprez/contracts/schemas/content/site-pages';
import { withoutPositions, writeTo } from '@uprez/contracts/texts/careers';
import { formatDay } from '@uprez/contracts/texts/format';
import { pageDescriptions } from '@uprez/contracts/texts/page-descriptions';
import { pageTitles } from '@uprez/contracts/texts/page-titles';
import { legalVersionPath, positionPath, sitePaths } from '@uprez/contracts/texts/pages';
import { shownVersionOf } from '@uprez/contracts/texts/shown-version';
import { describeAs, escapeHtml } from '../../http/web/escape-html.ts';
import type { PageDocument, PageSettings } from '../../http/web/page-document.ts';
import { pageMeta, siteUrlOf } from '../../http/web/page-head.ts';
import { link, servedMain } from '../../http/web/served-body.ts';

const descriptions: Record<string, string | undefined> = pageDescriptions;
const mail = (address: string) => `<a href="mailto:${escapeHtml(address)}">${escapeHtml(address)}</a>`;

const day = (time: string) => `<time datetime="${time}">${formatDay(time)}</time>`;

const describeVersion = ({ publishedAt, effectiveAt, isInForce }: LegalVersion) =>
  `<p>Last updated ${day(publishedAt)} · Effective ${day(effectiveAt)}${isInForce ? ' · In force' : ''}</p>`;

/** Links to all versions of a legal text. */
function listVersions({ slug, versions }: Pick<SitePage, 'slug' | 'versions'>): string {
  if (versions.length < 2) return '';
  const items = versions.map(
    ({ number, effectiveAt }) =>
      `<li>${link(legalVersionPath(slug, number), `Version ${number}`)} (effective ${day(effectiveAt)})</li>`,
  );
  return ['<h2>All versions</h2>', '<ul>', ...items, '</ul>'].join('\n');
}

/** The document of a version of a legal text. Search engines must not list it beside the current text. */
export const legalTextDocument = ({ title, slug, html, version, versions }: LegalText): PageDocument => ({
  head: { title: `${title}, version ${version.number}` },
  body: servedMain([
    `<nav>${link(`/${slug}`, title)}</nav>`,
    `<h1>${escapeHtml(title)}, version ${version.number}</h1>`,
    describeVersion(version),
    html,
    listVersions({ slug, versions }),
  ]),
});

/** What the about page asks its readers to do. */
export const aboutActions = `<p>${link(sitePaths.auth, 'Get Started')} ${link(sitePaths.pricing, 'See pricing')}</p>`;

/** Below the title: the dates of a legal text, or the excerpt. */
function describeShown({ versions, excerpt }: SitePage): string {
  const shown = shownVersionOf(versions);
  return shown ? describeVersion(shown) : excerpt && `<p>${escapeHtml(excerpt)}</p>`;
}

/** The document of a page of the site. `end`: HTML after its text. */
export const sitePageDocument = (page: SitePage, path: string, end = ''): PageDocument => ({
  head: { title: page.seo.title || page.title, description: page.seo.description || descriptions[path] },
  canonical: path,
  crumbs: [{ name: page.title, path }],
  tags: () => (page.isLegal ? [pageMeta('property', 'article:modified_time', page.updatedAt)] : []),
  body: servedMain([
    `<nav>${link(sitePaths.home, 'Home')}</nav>`,
    `<h1>${escapeHtml(page.title)}</h1>`,
    describeShown(page),
    page.html,
    end,
    listVersions(page),
  ]),
});

/** The document of the careers page. `address`: for applications. Without a position, it has three sentences. */
export function careersDocument(page: SitePage, positions: readonly PositionCard[], address: string): PageDocument {
  const write = `${writeTo} ${mail(address)}.`;
  if (positions.length === 0)
    return sitePageDocument(
      { ...page, excerpt: '', html: '' },
      sitePaths.careers,
      `<p>${withoutPositions.join(' ')} ${write}</p>`,
    );
  const items = positions.map(
    ({ title, slug, excerpt, department }) =>
      `<h3>${link(positionPath(slug), title)}</h3>\n<p>${escapeHtml([department, excerpt].filter(Boolean).join(' · '))}</p>`,
  );
  return sitePageDocument(page, sitePaths.careers, ['<h2>Open positions</h2>', ...items, `<p>${write}</p>`].join('\n'));
}

/** The document of an open position. */
export function positionDocument(position: Position, address: string): PageDocument {
  const { title, excerpt, department, seo } = position;
  const path = positionPath(position.slug);
  const careers = pageTitles[sitePaths.careers];
  return {
    head: { title: seo.title || title, description: seo.description || excerpt || undefined },
    canonical: path,
    crumbs: [
      { name: careers, path: sitePaths.careers },
      { name: title, path },
    ],
    ogType: 'article',
    tags: (settings) => [describePosition(position, settings)],
    body: servedMain([
      `<nav>${link(sitePaths.home, 'Home')} ${link(sitePaths.careers, careers)}</nav>`,
      `<article>\n<h1>${escapeHtml(title)}</h1>`,
      `<p>${escapeHtml([department, excerpt].filter(Boolean).join(' · '))}</p>`,
      position.html,
      '</article>',
      `<p>Apply by email: ${mail(address)}</p>`,
    ]),
  };
}

/** The facts about a position that are known. Its place and its pay are only in its text. */
function describePosition({ title, html, publishedAt, slug }: Position, settings: PageSettings): string {
  const { company, siteName } = settings.site;
  return describeAs({
    '@type': 'JobPosting',
    title,
    description: html,
    datePosted: publishedAt,
    url: siteUrlOf(settings, positionPath(slug)),
    hiringOrganization: { '@type': 'Organization', name: company || siteName, sameAs: siteUrlOf(settings, '/') },
    directApply: true,
  });
}
