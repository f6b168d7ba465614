import { pathOfArticle } from '@uprez/contracts/texts/article-path';
import { sitemapPath } from '@uprez/contracts/texts/pages';
import { listArticleLinks } from '@uprez/domain/content/public/list-article-links';
import { listFeedPosts, listPostLinks } from '@uprez/domain/content/public/list-feed-posts';
import type { Deps } from '../../deps.ts';
import { contract } from '../../http/contract.ts';
import { siteUrlOf } from '../../http/web/page-head.ts';
import { openTextSender } from '../../http/web/send-text.ts';
import type { Dialect } from '../dialect.ts';
import { makeAtom, makeRss } from './make-feeds.ts';
import { makeRobots } from './make-robots.ts';
import { makeSitemap } from './make-sitemap.ts';

/** New posts are in feeds and the sitemap after at most 5 minutes. */
const cacheControl = 'public, max-age=300';

type FileName = 'robots' | 'sitemap' | 'rssFeed' | 'atomFeed';
type File = { type: string; make: (site: { siteName: string; urlOf: (path: string) => string }) => Promise<string> };

async function listLinks(deps: Deps) {
  const articles = await listArticleLinks(deps);
  const links = articles.map(({ kind, slug, updatedAt }) => ({ path: pathOfArticle(kind, slug), updatedAt }));
  return { posts: await listPostLinks(deps), articles: links };
}

/** What crawlers and feed readers load: robots.txt, the sitemap, and the feeds of the blog. */
export function registerSiteFileRoutes({ app }: Dialect, deps: Deps): void {
  const files: Record<FileName, File> = {
    robots: { type: 'text/plain', make: async ({ urlOf }) => makeRobots(urlOf(sitemapPath)) },
    sitemap: { type: 'application/xml', make: async ({ urlOf }) => makeSitemap({ urlOf, ...(await listLinks(deps)) }) },
    rssFeed: {
      type: 'application/rss+xml',
      make: async (site) => makeRss({ ...site, posts: await listFeedPosts(deps) }),
    },
    atomFeed: {
      type: 'application/atom+xml',
      make: async (site) => makeAtom({ ...site, posts: await listFeedPosts(deps) }),
    },
  };
  const sendText = openTextSender();
  for (const [name, { type, make }] of Object.entries(files) as [FileName, File][]) {
    const { method, url, config } = contract(name);
    app.route({
      method,
      url,
      config,
      handler: async (_request, reply) => {
        const site = await deps.settings.read('site');
        const text = await make({ siteName: site.siteName, urlOf: (path) => siteUrlOf({ site }, path) });
        return sendText(reply.header('cache-control', cacheControl), { type, text });
      },
    });
  }
}
