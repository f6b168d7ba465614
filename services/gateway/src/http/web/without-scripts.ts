import { sitePaths } from '@uprez/contracts/texts/pages';
import { escapeHtml } from './escape-html.ts';
import { missingPage, type PageDocument } from './page-document.ts';
import { link, servedMain } from './served-body.ts';

const links = `<p>${link(sitePaths.home, 'Home')} ${link(sitePaths.help, 'Help Center')} ${link(sitePaths.contact, 'Contact')}</p>`;

function explain(page: PageDocument): string {
  if (page === missingPage) return "This page doesn't exist or has moved.";
  // Only a page that couldn't be read has neither.
  if (!page.head && !page.canonical) return "This page couldn't load. Reload it in a few seconds.";
  return 'This page needs JavaScript. Turn on JavaScript in your browser, and reload the page.';
}

/** What a browser without JavaScript shows of a page that only the app can show, and of a missing page. */
export function withoutScripts(page: PageDocument): string {
  const heading = page.head?.title ? `<h1>${escapeHtml(page.head.title)}</h1>` : '';
  return `<noscript>${servedMain([heading, `<p>${explain(page)}</p>`, links])}</noscript>`;
}
