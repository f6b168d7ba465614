import { pageDescriptions } from '@uprez/contracts/texts/site/page-descriptions';
import { siteHead } from '../../lib/browser/site-head.ts';

const texts: Record<string, string | undefined> = pageDescriptions;

/**
 * Sets the description of the document after a navigation, and removes the gateway's tags that only apply to the first
 * page. No-op if another page has been opened since.
 */
export function describePage(pathname: string, description?: string): void {
  if (window.location.pathname !== pathname) return;
  const text = description || texts[pathname.replace(/(?<=.)\/$/, '')] || siteHead.description;
  if (text) document.querySelector('meta[name="description"]')?.setAttribute('content', text);
  for (const tag of document.head.querySelectorAll('[data-page]')) tag.remove();
}
