import { pathOfArticle } from '@uprez/contracts/policy/articles';
import type { MediaImage } from '@uprez/contracts/schemas/content/media';
import { pageDescriptions, publicPages } from '@uprez/contracts/texts/site/page-descriptions';
import { pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { feedPaths, postPath, sitemapPath, sitePaths } from '@uprez/contracts/texts/site/pages';
import { listArticleLinks, listFeedPosts, listPostLinks } from '@uprez/domain/content/public/public-posts';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import { defineHandlers } from '../../http/contract.ts';
import { siteUrlOf } from '../../http/web/page-document.ts';
import { openTextSender } from '../../http/web/send-text.ts';
import { imageTag } from './find-blog-page.ts';
import { element, emptyElement, textElement, xmlDocument } from './xml.ts';

/** New posts appear in feeds and the sitemap after at most 5 minutes. */
const cacheControl = 'public, max-age=300';

type FileSource = { siteName: string; urlOf: (path: string) => string };

async function listLinks(deps: Deps) {
  const articles = await listArticleLinks(deps);
  const links = articles.map(({ kind, slug, updatedAt }) => ({ path: pathOfArticle(kind, slug), updatedAt }));
  return { posts: await listPostLinks(deps), articles: links };
}

export const siteFileHandlers = (deps: Deps) => {
  const sendText = openTextSender();
  const fileHandler =
    (type: string, make: (source: FileSource) => Promise<string>) =>
    async (_request: unknown, reply: unknown): Promise<FastifyReply> => {
      const site = await deps.settings.read('site');
      const text = await make({ siteName: site.siteName, urlOf: (path) => siteUrlOf({ site }, path) });
      return sendText((reply as FastifyReply).header('cache-control', cacheControl), { type, text });
    };
  return defineHandlers({
    robots: fileHandler('text/plain', async ({ urlOf }) => makeRobotsTxt(urlOf(sitemapPath))),
    sitemap: fileHandler('application/xml', async ({ urlOf }) => makeSitemap({ urlOf, ...(await listLinks(deps)) })),
    rssFeed: fileHandler('application/rss+xml', async (site) => makeRss({ ...site, posts: await listFeedPosts(deps) })),
    atomFeed: fileHandler('application/atom+xml', async (site) =>
      makeAtom({ ...site, posts: await listFeedPosts(deps) }),
    ),
  });
};

const disallowedPrefixes = ['/api/', '/v1/', '/preview/'];

/** Makes robots.txt (RFC 9309), which allows crawlers only the public pages. */
function makeRobotsTxt(sitemapUrl: string): string {
  const closed = Object.keys(pageTitles).filter((path) => !publicPages.includes(path));
  return [
    'User-agent: *',
    ...[...closed, ...disallowedPrefixes].map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${sitemapUrl}`,
    '',
  ].join('\n');
}

/** Lists of posts are sorted by publication time, newest first. */
type PostLink = { slug: string; updatedAt: Date; image: MediaImage | null };

const namespaces = {
  xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9',
  'xmlns:image': 'http://www.google.com/schemas/sitemap-image/1.1',
};

type ArticleLink = { path: string; updatedAt: Date };
type Site = { posts: readonly PostLink[]; articles: readonly ArticleLink[]; urlOf: (path: string) => string };

/** Makes a sitemap (sitemaps.org) of the public pages and articles. `urlOf` returns the URL of a path. */
function makeSitemap({ posts, articles, urlOf }: Site): string {
  const lastChange = new Date(Math.max(0, ...posts.map(({ updatedAt }) => updatedAt.getTime())));
  const entry = (path: string, changed?: Date, image?: MediaImage | null) =>
    element('url', [
      textElement('loc', urlOf(path)),
      ...(changed ? [textElement('lastmod', changed.toISOString())] : []),
      ...(image ? [element('image:image', [textElement('image:loc', urlOf(image.src))])] : []),
    ]);
  const changes = new Map(articles.map(({ path, updatedAt }) => [path, updatedAt]));
  if (posts.length > 0) changes.set(sitePaths.blog, lastChange);
  const pages = publicPages.map((path) => entry(path, changes.get(path)));
  const otherArticles = articles.filter(({ path }) => !publicPages.includes(path));
  const urls = [
    ...pages,
    ...otherArticles.map(({ path, updatedAt }) => entry(path, updatedAt)),
    ...posts.map(({ slug, updatedAt, image }) => entry(postPath(slug), updatedAt, image)),
  ];
  return xmlDocument(element('urlset', urls, namespaces));
}

type FeedPost = {
  id: string;
  title: string;
  slug: string;
  excerpt: string;
  html: string;
  image: MediaImage | null;
  author: string | null;
  categories: readonly { name: string }[];
  publishedAt: Date;
  updatedAt: Date;
};

/** `posts`: newest first. */
type FeedSource = { siteName: string; posts: readonly FeedPost[]; urlOf: (path: string) => string };

const description = pageDescriptions[sitePaths.blog];
const feedTitle = ({ siteName }: FeedSource) => `${siteName} ${pageTitles[sitePaths.blog]}`;
const lastChangeOf = ({ posts }: FeedSource) => new Date(Math.max(0, ...posts.map((post) => post.updatedAt.getTime())));
/** Returns the feed ID of a post, which stays the same when its slug changes. */
const feedIdOf = ({ id }: FeedPost) => `urn:uuid:${id}`;

/**
 * URLs become absolute, because feed readers show the content outside the site. Images have one size, because few feed
 * readers support `srcset`. The patterns match only links and images, because the renderer escapes `"` in text and
 * writes the URL attribute first.
 */
const renderFeedContent = ({ html, image, slug }: FeedPost, urlOf: FeedSource['urlOf']) =>
  [...(image ? [`<p>${imageTag(image)}</p>`] : []), html]
    .join('\n')
    .replaceAll(/(<img src="[^"]*") srcset="[^"]*" sizes="[^"]*"/g, '$1')
    .replaceAll(/(<(?:a href|img src)=")(?!\/\/)([/#])/g, (_match, start: string, first: string) =>
      first === '#' ? `${start}${urlOf(postPath(slug))}#` : `${start}${urlOf('/')}`,
    );

function makeRss(source: FeedSource): string {
  const { posts, urlOf } = source;
  const items = posts.map((post) =>
    element('item', [
      textElement('title', post.title),
      textElement('link', urlOf(postPath(post.slug))),
      textElement('guid', feedIdOf(post), { isPermaLink: 'false' }),
      textElement('pubDate', post.publishedAt.toUTCString()),
      ...(post.author ? [textElement('dc:creator', post.author)] : []),
      ...post.categories.map(({ name }) => textElement('category', name)),
      textElement('description', post.excerpt),
      textElement('content:encoded', renderFeedContent(post, urlOf)),
    ]),
  );
  const channel = element('channel', [
    textElement('title', feedTitle(source)),
    textElement('link', urlOf(sitePaths.blog)),
    textElement('description', description),
    textElement('language', 'en-us'),
    textElement('lastBuildDate', lastChangeOf(source).toUTCString()),
    emptyElement('atom:link', { rel: 'self', type: 'application/rss+xml', href: urlOf(feedPaths.rss) }),
    ...items,
  ]);
  const namespaces = {
    'xmlns:atom': 'http://www.w3.org/2005/Atom',
    'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  };
  return xmlDocument(element('rss', [channel], { version: '2.0', ...namespaces }));
}

/** Makes an Atom feed (RFC 4287). */
function makeAtom(source: FeedSource): string {
  const { siteName, posts, urlOf } = source;
  const entries = posts.map((post) =>
    element('entry', [
      textElement('title', post.title),
      textElement('id', feedIdOf(post)),
      emptyElement('link', { rel: 'alternate', type: 'text/html', href: urlOf(postPath(post.slug)) }),
      textElement('published', post.publishedAt.toISOString()),
      textElement('updated', post.updatedAt.toISOString()),
      ...(post.author ? [element('author', [textElement('name', post.author)])] : []),
      ...post.categories.map(({ name }) => emptyElement('category', { term: name })),
      ...(post.excerpt ? [textElement('summary', post.excerpt)] : []),
      textElement('content', renderFeedContent(post, urlOf), { type: 'html' }),
    ]),
  );
  const feed = [
    textElement('title', feedTitle(source)),
    textElement('subtitle', description),
    textElement('id', urlOf(sitePaths.blog)),
    textElement('updated', lastChangeOf(source).toISOString()),
    emptyElement('link', { rel: 'self', type: 'application/atom+xml', href: urlOf(feedPaths.atom) }),
    emptyElement('link', { rel: 'alternate', type: 'text/html', href: urlOf(sitePaths.blog) }),
    // Applies to posts without an author, such as those by deleted accounts.
    element('author', [textElement('name', siteName)]),
    ...entries,
  ];
  return xmlDocument(element('feed', feed, { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': 'en-US' }));
}
