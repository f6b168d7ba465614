import type { SeoSettings } from '@uprez/contracts/schemas/admin/seo-settings';
import type { SiteSettings } from '@uprez/contracts/schemas/admin/settings';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { pageDescriptions } from '@uprez/contracts/texts/site/page-descriptions';
import { notFoundTitle, pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { sitePaths } from '@uprez/contracts/texts/site/pages';

/** Title of a page without the site name, and its description in search results. */
export type PageHead = {
  title: string;
  /** Defaults to the description of the SEO settings. */
  description?: string | undefined;
};
export type PageSettings = { seo: SeoSettings; site: SiteSettings };
/** A step from the home page to a page, for search engines. */
export type Crumb = { name: string; path: string };

/** Image that social networks show for a page. `url`: root-relative. */
export type PageImage = { url: string; width: number; height: number; alt: string };

/** Head of a page, and its content before the app has started. */
export type PageDocument = {
  /** Defaults to the title and description of the SEO settings. */
  head?: PageHead;
  /** Path and query. If absent, search engines must not list the page. */
  canonical?: string;
  /** Steps below the home page. */
  crumbs?: readonly Crumb[];
  /** Whether the page links to the blog's feeds. */
  hasFeeds?: boolean;
  /** Returns additional tags of the head. */
  tags?: (settings: PageSettings) => string[];
  ogType?: 'article';
  /** Defaults to the image of the SEO settings. */
  image?: PageImage | undefined;
  body?: string;
  /** Whether the page runs WebAssembly with threads, and loads nothing from other sites. */
  isIsolated?: boolean;
};

/** The document of a URL, or the path that the page has moved to. */
export type FoundPage = { page: PageDocument; movedTo?: undefined } | { movedTo: string; page?: undefined };

/** Returns the pattern of a path. It captures the parts that begin with a colon. */
export const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`);

/** Returns the query of a URL with its question mark, or an empty string. */
export const queryOf = (url: string): string => /\?[^#]*/.exec(url)?.[0] ?? '';

/** The document of a URL without a page. */
export const missingPage: PageDocument = { head: { title: notFoundTitle } };

const adminPatterns = Object.values(adminPages).map((page) => new RegExp(`^${page.replace(/:\w+/g, '[^/]+')}$`));
const titles: Record<string, string | undefined> = pageTitles;
const descriptions: Record<string, string | undefined> = pageDescriptions;

/** Returns the document of a page of the app by its path, or `missingPage`. */
export function findDocument(path: string): PageDocument {
  if (path === sitePaths.home) return { canonical: path };
  const isAdmin = adminPatterns.some((pattern) => pattern.test(path));
  const title = titles[isAdmin ? sitePaths.admin : path];
  if (!title) return missingPage;
  const description = descriptions[path];
  if (!description) return { head: { title } };
  const page = { head: { title, description }, canonical: path, crumbs: [{ name: title, path }] };
  return path === sitePaths.local ? { ...page, isIsolated: true } : page;
}
