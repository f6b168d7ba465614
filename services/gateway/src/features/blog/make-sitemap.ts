import { publicPages } from '@uprez/contracts/texts/page-descriptions';
import { postPath, sitePaths } from '@uprez/contracts/texts/pages';
import { element, textElement, xmlDocument } from './xml.ts';

/** A post that anyone can read, the one that was published last first. */
export type PostLink = { slug: string; updatedAt: Date };

/** Makes a sitemap (sitemaps.org) of the public pages and posts. `urlOf`: the URL of a path. */
export function makeSitemap(posts: readonly PostLink[], urlOf: (path: string) => string): string {
  const lastChange = new Date(Math.max(0, ...posts.map(({ updatedAt }) => updatedAt.getTime())));
  const entry = (path: string, changed?: Date) =>
    element('url', [
      textElement('loc', urlOf(path)),
      ...(changed ? [textElement('lastmod', changed.toISOString())] : []),
    ]);
  const pages = publicPages.map((path) =>
    entry(path, path === sitePaths.blog && posts.length > 0 ? lastChange : undefined),
  );
  const urls = [...pages, ...posts.map(({ slug, updatedAt }) => entry(postPath(slug), updatedAt))];
  return xmlDocument(element('urlset', urls, { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }));
}
