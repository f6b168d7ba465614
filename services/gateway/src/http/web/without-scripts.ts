import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { sitePaths } from '@uprez/contracts/texts/pages';
import { escapeHtml } from './escape-html.ts';
import { missingPage, type PageDocument } from './page-document.ts';
import { link, servedMain } from './served-body.ts';

const links = `<p>${link(sitePaths.home, 'Home')} ${link(sitePaths.help, 'Help Center')} ${link(sitePaths.contact, 'Contact')}</p>`;

/** Where the content of the API explorer is readable. */
const descriptions = [
  [sitePaths.documentation, 'Documentation: all endpoints, options, and errors'],
  [v1Routes.v1OpenApi.path, 'OpenAPI 3.1'],
  [v1Routes.v1Postman.path, 'Postman collection'],
  [apiRoutes.llms.path, 'llms.txt'],
] as const;
const listDescriptions = (page: PageDocument) =>
  page.canonical === sitePaths.reference &&
  `<p>Everything it describes is also here:</p>\n<ul>\n${descriptions.map(([path, label]) => `<li>${link(path, label)}</li>`).join('\n')}\n</ul>`;

function explain(page: PageDocument): string {
  if (page === missingPage) return "This page doesn't exist or has moved.";
  // Only a page that couldn't be read has neither.
  if (!page.head && !page.canonical) return "This page couldn't load. Reload it in a few seconds.";
  return 'This page needs JavaScript. Turn on JavaScript in your browser, and reload the page.';
}

/** What a browser without JavaScript shows of a page that only the app can show, and of a missing page. */
export function withoutScripts(page: PageDocument): string {
  const heading = page.head?.title ? `<h1>${escapeHtml(page.head.title)}</h1>` : '';
  return `<noscript>${servedMain([heading, `<p>${explain(page)}</p>`, listDescriptions(page) || null, links])}</noscript>`;
}
