import type { HelpArticle, HelpCenter, HelpSearch, TextPart } from '@uprez/contracts/schemas/content/help';
import { helpPath, sitePaths } from '@uprez/contracts/texts/pages';
import { escapeHtml } from '../../http/web/escape-html.ts';
import { link, servedMain } from '../../http/web/served-body.ts';

const form = (search = '') =>
  `<form action="${sitePaths.help}" role="search">\n<label>Search <input type="search" name="search" value="${escapeHtml(search)}"></label> <button>Search</button>\n</form>`;
const contact = `<p>${link(sitePaths.contact, 'Contact Support')} ${link(sitePaths.documentation, 'API documentation')}</p>`;
const nav = (...links: string[]) => `<nav>${[link(sitePaths.home, 'Home'), ...links].join(' ')}</nav>`;

/** Questions with their answers, and popular articles. */
export const helpCenterBody = (title: string, { groups, popular }: HelpCenter): string =>
  servedMain([
    nav(),
    `<h1>${escapeHtml(title)}</h1>`,
    form(),
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

/** An article. `html` was sanitized when it was rendered. */
export const helpArticleBody = (article: HelpArticle): string =>
  servedMain([
    nav(link(sitePaths.help, 'Help Center')),
    `<article>\n<h1>${escapeHtml(article.title)}</h1>`,
    article.excerpt && `<p>${escapeHtml(article.excerpt)}</p>`,
    article.html,
    '</article>',
    contact,
  ]);

const marked = (parts: readonly TextPart[]) =>
  parts.map(({ text, isMatch }) => (isMatch ? `<mark>${escapeHtml(text)}</mark>` : escapeHtml(text))).join('');

/** The results of a search. */
export const helpSearchBody = (title: string, search: string, { results, suggestion }: HelpSearch): string =>
  servedMain([
    nav(link(sitePaths.help, 'Help Center')),
    `<h1>${escapeHtml(title)}</h1>`,
    form(search),
    suggestion ? `<p>Did you mean ${link(searchPath(suggestion), suggestion)}?</p>` : '',
    results.length === 0 ? `<p>No results for ${escapeHtml(search)}.</p>` : '',
    ...results.map(
      ({ title: name, excerpt, slug }) =>
        `<h2><a href="${escapeHtml(helpPath(slug))}">${marked(name)}</a></h2>\n<p>${marked(excerpt)}</p>`,
    ),
    contact,
  ]);

const searchPath = (search: string) => `${sitePaths.help}?search=${encodeURIComponent(search)}`;
