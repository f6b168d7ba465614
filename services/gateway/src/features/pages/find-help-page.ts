import {
  type HelpArticle,
  type HelpCenter,
  type HelpSearch,
  searchTextSchema,
  type TextPart,
} from '@uprez/contracts/schemas/content/help';
import { pageDescriptions } from '@uprez/contracts/texts/site/page-descriptions';
import { pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { articlePages, helpPath, sitePaths } from '@uprez/contracts/texts/site/pages';
import { findHelpArticle, getHelpCenter } from '@uprez/domain/content/help/get-help-center';
import { findHelp } from '@uprez/domain/content/help/search-help';
import type { Deps } from '../../deps.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import {
  escapeHtml,
  type FoundPage,
  headOf,
  link,
  missingPage,
  type PageDocument,
  pageMeta,
  patternOf,
  queryOf,
  renderStructuredData,
  servedMain,
} from '../../http/web/page-document.ts';

type HelpPageDeps = Pick<Deps, 'db'>;

const articlePattern = patternOf(articlePages.help);

export async function findHelpPage(deps: HelpPageDeps, url: string): Promise<FoundPage | undefined> {
  const path = pathOf(url);
  if (path === sitePaths.help) return { page: await findCenter(deps, url) };
  const slug = articlePattern.exec(path)?.[1];
  if (!slug) return undefined;
  const article = await findHelpArticle(deps, slug);
  if (!article) return { page: missingPage };
  return article.slug === slug
    ? { page: helpArticleDocument(article) }
    : { movedTo: helpPath(article.slug) + queryOf(url) };
}

/**
 * Returns the help center, or the results of a search in the URL, because the search form also works without
 * JavaScript.
 */
async function findCenter(deps: HelpPageDeps, url: string): Promise<PageDocument> {
  const search = searchTextSchema.safeParse(new URLSearchParams(queryOf(url)).get('search') ?? '');
  if (!search.success) return helpCenterDocument(await getHelpCenter(deps));
  // Doesn't count the search, because the app repeats and counts it.
  return helpSearchDocument(search.data, await findHelp(deps, search.data));
}

const title = pageTitles[sitePaths.help];
const head = { title, description: pageDescriptions[sitePaths.help] };
const crumb = { name: title, path: sitePaths.help };

/** Returns the document of the help center, with all questions and answers for search engines. */
const helpCenterDocument = (center: HelpCenter): PageDocument => ({
  head,
  canonical: sitePaths.help,
  crumbs: [crumb],
  tags: () => describeQuestions(center),
  body: helpCenterBody(title, center),
});

/** Returns the document of search results. It has no canonical URL, because search engines must not index it. */
const helpSearchDocument = (search: string, found: HelpSearch): PageDocument => ({
  head,
  body: helpSearchBody(title, search, found),
});

function helpArticleDocument(article: HelpArticle): PageDocument {
  const path = helpPath(article.slug);
  return {
    head: headOf(article),
    canonical: path,
    crumbs: [crumb, { name: article.title, path }],
    ogType: 'article',
    tags: () => [pageMeta('property', 'article:modified_time', article.updatedAt)],
    body: helpArticleBody(article),
  };
}

function describeQuestions({ groups }: HelpCenter): string[] {
  const mainEntity = groups.flatMap(({ questions }) =>
    questions.map(({ title: name, html }) => ({
      '@type': 'Question',
      name,
      acceptedAnswer: { '@type': 'Answer', text: html },
    })),
  );
  return mainEntity.length > 0 ? [renderStructuredData({ '@type': 'FAQPage', mainEntity })] : [];
}

const renderSearchForm = (search = '') =>
  `<form action="${sitePaths.help}" role="search">\n<label>Search <input type="search" name="search" value="${escapeHtml(search)}"></label> <button>Search</button>\n</form>`;
const contact = `<p>${link(sitePaths.contact, 'Contact Support')} ${link(sitePaths.documentation, 'API documentation')}</p>`;
const renderNav = (...links: string[]) => `<nav>${[link(sitePaths.home, 'Home'), ...links].join(' ')}</nav>`;

const helpCenterBody = (title: string, { groups, popular }: HelpCenter): string =>
  servedMain([
    renderNav(),
    `<h1>${escapeHtml(title)}</h1>`,
    renderSearchForm(),
    contact,
    ...groups.flatMap(({ name, questions }) => [
      `<h2>${escapeHtml(name)}</h2>`,
      ...questions.map(({ title: question, slug, html }) => `<h3>${link(helpPath(slug), question)}</h3>\n${html}`),
    ]),
    popular.length > 0 ? '<h2>Popular articles</h2>' : '',
    ...popular.map(
      ({ title: name, slug, excerpt }) => `<h3>${link(helpPath(slug), name)}</h3>\n<p>${escapeHtml(excerpt)}</p>`,
    ),
  ]);

/** Doesn't escape `html`, which was sanitized when it was created. */
const helpArticleBody = (article: HelpArticle): string =>
  servedMain([
    renderNav(link(sitePaths.help, 'Help Center')),
    `<article>\n<h1>${escapeHtml(article.title)}</h1>`,
    article.excerpt && `<p>${escapeHtml(article.excerpt)}</p>`,
    article.html,
    '</article>',
    contact,
  ]);

const highlightMatches = (parts: readonly TextPart[]) =>
  parts.map(({ text, isMatch }) => (isMatch ? `<mark>${escapeHtml(text)}</mark>` : escapeHtml(text))).join('');

const helpSearchBody = (title: string, search: string, { results, suggestion }: HelpSearch): string =>
  servedMain([
    renderNav(link(sitePaths.help, 'Help Center')),
    `<h1>${escapeHtml(title)}</h1>`,
    renderSearchForm(search),
    suggestion ? `<p>Did you mean ${link(searchPath(suggestion), suggestion)}?</p>` : '',
    results.length === 0 ? `<p>No results for ${escapeHtml(search)}.</p>` : '',
    ...results.map(
      ({ title: name, excerpt, slug }) =>
        `<h2><a href="${escapeHtml(helpPath(slug))}">${highlightMatches(name)}</a></h2>\n<p>${highlightMatches(excerpt)}</p>`,
    ),
    contact,
  ]);

const searchPath = (search: string) => `${sitePaths.help}?search=${encodeURIComponent(search)}`;
