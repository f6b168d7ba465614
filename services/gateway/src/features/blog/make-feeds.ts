import type { ShownImage } from '@uprez/contracts/schemas/content/media';
import { pageDescriptions } from '@uprez/contracts/texts/page-descriptions';
import { pageTitles } from '@uprez/contracts/texts/page-titles';
import { feedPaths, postPath, sitePaths } from '@uprez/contracts/texts/pages';
import { imageTag } from './image-tag.ts';
import { element, emptyElement, textElement, xmlDocument } from './xml.ts';

/** A post in a feed. */
export type FeedPost = {
  id: string;
  title: string;
  slug: string;
  excerpt: string;
  html: string;
  /** The featured image. */
  image: ShownImage | null;
  author: string | null;
  categories: readonly { name: string }[];
  publishedAt: Date;
  updatedAt: Date;
};

/** `posts`: the latest first. `urlOf`: the URL of a path. */
export type FeedSource = { siteName: string; posts: readonly FeedPost[]; urlOf: (path: string) => string };

const description = pageDescriptions[sitePaths.blog];
const feedTitle = ({ siteName }: FeedSource) => `${siteName} ${pageTitles[sitePaths.blog]}`;
const lastChange = ({ posts }: FeedSource) => new Date(Math.max(0, ...posts.map((post) => post.updatedAt.getTime())));
/** Slugs may change. */
const idOf = ({ id }: FeedPost) => `urn:uuid:${id}`;

/**
 * The featured image and the text, with the host in links and images: readers show them elsewhere. Images have one size, as
 * few readers choose. The renderer escapes `"` in texts and writes the URL first, so only links and images match.
 */
const withHosts = ({ html, image, slug }: FeedPost, urlOf: FeedSource['urlOf']) =>
  [...(image ? [`<p>${imageTag(image)}</p>`] : []), html]
    .join('\n')
    .replaceAll(/(<img src="[^"]*") srcset="[^"]*" sizes="[^"]*"/g, '$1')
    .replaceAll(/(<(?:a href|img src)=")(?!\/\/)([/#])/g, (_match, start: string, first: string) =>
      first === '#' ? `${start}${urlOf(postPath(slug))}#` : `${start}${urlOf('/')}`,
    );

/** Makes an RSS 2.0 feed. */
export function makeRss(source: FeedSource): string {
  const { posts, urlOf } = source;
  const items = posts.map((post) =>
    element('item', [
      textElement('title', post.title),
      textElement('link', urlOf(postPath(post.slug))),
      textElement('guid', idOf(post), { isPermaLink: 'false' }),
      textElement('pubDate', post.publishedAt.toUTCString()),
      ...(post.author ? [textElement('dc:creator', post.author)] : []),
      ...post.categories.map(({ name }) => textElement('category', name)),
      textElement('description', post.excerpt),
      textElement('content:encoded', withHosts(post, urlOf)),
    ]),
  );
  const channel = element('channel', [
    textElement('title', feedTitle(source)),
    textElement('link', urlOf(sitePaths.blog)),
    textElement('description', description),
    textElement('language', 'en-us'),
    textElement('lastBuildDate', lastChange(source).toUTCString()),
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
export function makeAtom(source: FeedSource): string {
  const { siteName, posts, urlOf } = source;
  const entries = posts.map((post) =>
    element('entry', [
      textElement('title', post.title),
      textElement('id', idOf(post)),
      emptyElement('link', { rel: 'alternate', type: 'text/html', href: urlOf(postPath(post.slug)) }),
      textElement('published', post.publishedAt.toISOString()),
      textElement('updated', post.updatedAt.toISOString()),
      ...(post.author ? [element('author', [textElement('name', post.author)])] : []),
      ...post.categories.map(({ name }) => emptyElement('category', { term: name })),
      ...(post.excerpt ? [textElement('summary', post.excerpt)] : []),
      textElement('content', withHosts(post, urlOf), { type: 'html' }),
    ]),
  );
  const feed = [
    textElement('title', feedTitle(source)),
    textElement('subtitle', description),
    textElement('id', urlOf(sitePaths.blog)),
    textElement('updated', lastChange(source).toISOString()),
    emptyElement('link', { rel: 'self', type: 'application/atom+xml', href: urlOf(feedPaths.atom) }),
    emptyElement('link', { rel: 'alternate', type: 'text/html', href: urlOf(sitePaths.blog) }),
    // Of posts of deleted accounts.
    element('author', [textElement('name', siteName)]),
    ...entries,
  ];
  return xmlDocument(element('feed', feed, { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': 'en-US' }));
}
