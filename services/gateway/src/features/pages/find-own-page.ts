import { findDisplayedVersion } from '@uprez/contracts/policy/legal-texts';
import type {
  LegalText,
  LegalVersion,
  Position,
  PositionCard,
  SitePage,
} from '@uprez/contracts/schemas/content/site-pages';
import { formatDay } from '@uprez/contracts/texts/format';
import { noPositionsTexts, writeToLabel } from '@uprez/contracts/texts/site/contact';
import { pageDescriptions } from '@uprez/contracts/texts/site/page-descriptions';
import { pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { articlePages, legalVersionPath, positionPath, sitePaths } from '@uprez/contracts/texts/site/pages';
import { findLegalText, findPosition, findSitePage, listPositions } from '@uprez/domain/content/pages/find-site-page';
import type { Deps } from '../../deps.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import {
  escapeHtml,
  type FoundPage,
  headOf,
  link,
  missingPage,
  type PageDocument,
  type PageSettings,
  pageMeta,
  patternOf,
  queryOf,
  renderStructuredData,
  servedMain,
  siteUrlOf,
} from '../../http/web/page-document.ts';

type SitePageDeps = Pick<Deps, 'db' | 'settings'>;

const positionPattern = patternOf(articlePages.position);
const legalPatterns = [articlePages.terms, articlePages.privacy].map(patternOf);
const sitePagePaths: readonly string[] = [sitePaths.about, sitePaths.careers, sitePaths.terms, sitePaths.privacy];

/**
 * Finds the page for a URL about the site itself: the about page, careers, positions, and legal pages. Returns
 * undefined for other URLs.
 */
export async function findOwnPage(deps: SitePageDeps, url: string): Promise<FoundPage | undefined> {
  const path = pathOf(url);
  const slug = positionPattern.exec(path)?.[1];
  if (slug) return findOwnPosition(deps, { slug, url });
  const number = legalPatterns.map((pattern) => pattern.exec(path)?.[1]).find(Boolean);
  if (number) {
    const text = await findLegalText(deps, { slug: path.split('/')[1] ?? '', number });
    return { page: text ? legalTextDocument(text) : missingPage };
  }
  if (!sitePagePaths.includes(path)) return undefined;
  const page = await findSitePage(deps, path.slice(1));
  if (!page) return { page: missingPage };
  if (path !== sitePaths.careers)
    return { page: sitePageDocument(page, path, path === sitePaths.about ? aboutActions : '') };
  const { contactEmail } = await deps.settings.read('site');
  return { page: careersDocument(page, await listPositions(deps), contactEmail) };
}

async function findOwnPosition(deps: SitePageDeps, { slug, url }: { slug: string; url: string }): Promise<FoundPage> {
  const position = await findPosition(deps, slug);
  if (!position) return { page: missingPage };
  if (position.slug !== slug) return { movedTo: positionPath(position.slug) + queryOf(url) };
  const { contactEmail } = await deps.settings.read('site');
  return { page: positionDocument(position, contactEmail) };
}

const descriptions: Record<string, string | undefined> = pageDescriptions;
const renderMailLink = (address: string) => `<a href="mailto:${escapeHtml(address)}">${escapeHtml(address)}</a>`;

const renderDay = (time: string) => `<time datetime="${time}">${formatDay(time)}</time>`;

const describeVersion = ({ publishedAt, effectiveAt, isInForce }: LegalVersion) =>
  `<p>Last updated ${renderDay(publishedAt)} · Effective ${renderDay(effectiveAt)}${isInForce ? ' · In force' : ''}</p>`;

function renderVersionList({ slug, versions }: Pick<SitePage, 'slug' | 'versions'>): string {
  if (versions.length < 2) return '';
  const items = versions.map(
    ({ number, effectiveAt }) =>
      `<li>${link(legalVersionPath(slug, number), `Version ${number}`)} (effective ${renderDay(effectiveAt)})</li>`,
  );
  return ['<h2>All versions</h2>', '<ul>', ...items, '</ul>'].join('\n');
}

/**
 * Returns the document of one version of a legal text. It has no canonical URL, because search engines must not index
 * it in addition to the current text.
 */
const legalTextDocument = ({ title, slug, html, version, versions }: LegalText): PageDocument => ({
  head: { title: `${title}, version ${version.number}` },
  body: servedMain([
    `<nav>${link(`/${slug}`, title)}</nav>`,
    `<h1>${escapeHtml(title)}, version ${version.number}</h1>`,
    describeVersion(version),
    html,
    renderVersionList({ slug, versions }),
  ]),
});

const aboutActions = `<p>${link(sitePaths.auth, 'Get Started')} ${link(sitePaths.pricing, 'See pricing')}</p>`;

function renderSubtitle({ versions, excerpt }: SitePage): string {
  const shown = findDisplayedVersion(versions);
  return shown ? describeVersion(shown) : excerpt && `<p>${escapeHtml(excerpt)}</p>`;
}

const sitePageDocument = (page: SitePage, path: string, end = ''): PageDocument => ({
  head: { title: page.seo.title || page.title, description: page.seo.description || descriptions[path] },
  canonical: path,
  crumbs: [{ name: page.title, path }],
  tags: () => (page.isLegal ? [pageMeta('property', 'article:modified_time', page.updatedAt)] : []),
  body: servedMain([
    `<nav>${link(sitePaths.home, 'Home')}</nav>`,
    `<h1>${escapeHtml(page.title)}</h1>`,
    renderSubtitle(page),
    page.html,
    end,
    renderVersionList(page),
  ]),
});

/**
 * Returns the document of the careers page. `address`: email address for applications. If no positions are open, a
 * short note replaces the content of the page.
 */
function careersDocument(page: SitePage, positions: readonly PositionCard[], address: string): PageDocument {
  const write = `${writeToLabel} ${renderMailLink(address)}.`;
  if (positions.length === 0)
    return sitePageDocument(
      { ...page, excerpt: '', html: '' },
      sitePaths.careers,
      `<p>${noPositionsTexts.join(' ')} ${write}</p>`,
    );
  const items = positions.map(
    ({ title, slug, excerpt, department }) =>
      `<h3>${link(positionPath(slug), title)}</h3>\n<p>${escapeHtml([department, excerpt].filter(Boolean).join(' · '))}</p>`,
  );
  return sitePageDocument(page, sitePaths.careers, ['<h2>Open positions</h2>', ...items, `<p>${write}</p>`].join('\n'));
}

function positionDocument(position: Position, address: string): PageDocument {
  const { title, excerpt, department } = position;
  const path = positionPath(position.slug);
  const careers = pageTitles[sitePaths.careers];
  return {
    head: headOf(position),
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
      `<p>Apply by email: ${renderMailLink(address)}</p>`,
    ]),
  };
}

/** Omits the location and the salary, because only the text of the position states them. */
function describePosition({ title, html, publishedAt, slug }: Position, settings: PageSettings): string {
  const { company, siteName } = settings.site;
  return renderStructuredData({
    '@type': 'JobPosting',
    title,
    description: html,
    datePosted: publishedAt,
    url: siteUrlOf(settings, positionPath(slug)),
    hiringOrganization: { '@type': 'Organization', name: company || siteName, sameAs: siteUrlOf(settings, '/') },
    directApply: true,
  });
}
