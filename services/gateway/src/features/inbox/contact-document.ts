import type { SiteSettings } from '@uprez/contracts/schemas/admin/settings';
import { contactChannels, contactLinks, replyPromise } from '@uprez/contracts/texts/site/contact';
import { sitePaths } from '@uprez/contracts/texts/site/pages';
import type { Deps } from '../../deps.ts';
import { escapeHtml, link, renderStructuredData } from '../../http/web/escape-html.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import { type FoundPage, findDocument, type PageDocument } from '../../http/web/page-document.ts';
import { siteUrlOf } from '../../http/web/page-head.ts';

/** Finds the contact page. Returns undefined for other URLs. */
export async function findContactPage(
  { settings }: Pick<Deps, 'settings'>,
  url: string,
): Promise<FoundPage | undefined> {
  return pathOf(url) === sitePaths.contact ? { page: contactDocument(await settings.read('site')) } : undefined;
}

/** Returns the contact page with its channels, for people without scripts and for search engines. */
const contactDocument = (site: SiteSettings): PageDocument => ({
  ...findDocument(sitePaths.contact),
  tags: (settings) => {
    const { siteName, company, supportEmail: email } = settings.site;
    const name = company || siteName;
    const mainEntity = { '@type': 'Organization', name, url: siteUrlOf(settings, '/'), email };
    return [renderStructuredData({ '@type': 'ContactPage', url: siteUrlOf(settings, sitePaths.contact), mainEntity })];
  },
  body: bodyOf(site),
});

function bodyOf(site: SiteSettings): string {
  const channels = contactChannels(site).map(
    ({ name, text, email }) =>
      `<h2>${escapeHtml(name)}</h2><p>${escapeHtml(text)}</p><p><a href="mailto:${escapeHtml(email)}">${escapeHtml(email)}</a></p>`,
  );
  const facts = [site.supportHours, [site.company, site.companyAddress].filter(Boolean).join(', ')];
  const lines = facts.filter(Boolean).map((line) => `<p>${escapeHtml(line)}</p>`);
  const links = contactLinks.map(({ label, to }) => `<li>${link(to, label)}</li>`);
  const ways = `<h2>Quick links</h2><ul>${links.join('')}</ul>`;
  return `<main><h1>Contact</h1><p>${replyPromise}</p>${[...channels, ...lines, ways].join('')}</main>`;
}
