import type { ShownImage } from '@uprez/contracts/schemas/content/media';
import { publicPages } from '@uprez/contracts/texts/page-descriptions';
import { postPath, sitePaths } from '@uprez/contracts/texts/pages';
import { element, textElement, xmlDocument } from './xml.ts';

/** A post that anyone can read, the one that was published last first. */
export type PostLink = { slug: string; updatedAt: Date; image: ShownImage | null };

const namespaces = {
  xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9',
  'xmlns:image': 'http://www.google.com/schemas/sitemap-image/1.1',
};

/** Another article, by its path. */
type ArticleLink = { path: string; updatedAt: Date };
type Site = { posts: readonly PostLink[]; articles: readonly ArticleLink[]; urlOf: (path: string) => string };

/** Makes a sitemap (sitemaps.org) of the public pages and articles. `urlOf`: the URL of a path. */
export function makeSitemap({ posts, articles, urlOf }: Site): string {
  const lastChange = new Date(Math.max(0, ...posts.map(({ updatedAt }) => updatedAt.getTime())));
  const entry = (path: string, changed?: Date, image?: ShownImage | null) =>
    element('url', [
      textElement('loc', urlOf(path)),
      ...(changed ? [textElement('lastmod', changed.toISOString())] : []),
      ...(image ? [element('image:image', [textElement('image:loc', urlOf(image.src))])] : []),
    ]);
  const changes = new Map(articles.map(({ path, updatedAt }) => [path, updatedAt]));
  if (posts.length > 0) changes.set(sitePaths.blog, lastChange);
  const pages = publicPages.map((path) => entry(path, changes.get(path)));
  const others = articles.filter(({ path }) => !publicPages.includes(path));
  const urls = [
    ...pages,
    ...others.map(({ path, updatedAt }) => entry(path, updatedAt)),
    ...posts.map(({ slug, updatedAt, image }) => entry(postPath(slug), updatedAt, image)),
  ];
  return xmlDocument(element('urlset', urls, namespaces));
}
