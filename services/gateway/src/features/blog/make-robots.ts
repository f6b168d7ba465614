import { publicPages } from '@uprez/contracts/texts/page-descriptions';
import { pageTitles } from '@uprez/contracts/texts/page-titles';

/** The APIs, and previews of drafts. */
const others = ['/api/', '/v1/', '/preview/'];

/** Makes robots.txt (RFC 9309): crawlers get the public pages only. */
export function makeRobots(sitemapUrl: string): string {
  const closed = Object.keys(pageTitles).filter((path) => !publicPages.includes(path));
  return [
    'User-agent: *',
    ...[...closed, ...others].map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${sitemapUrl}`,
    '',
  ].join('\n');
}
