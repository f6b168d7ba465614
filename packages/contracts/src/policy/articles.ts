import { helpPath, positionPath, postPath } from '../texts/site/pages.ts';

// cspell:ignore trgm
export const articleKinds = ['post', 'help', 'legal', 'page', 'position'] as const;
export type ArticleKind = (typeof articleKinds)[number];

export const articleStatuses = ['draft', 'scheduled', 'published'] as const;
export type ArticleStatus = (typeof articleStatuses)[number];
/** Filters of the article list. `deleted`: articles that can be restored, which all other lists leave out. */
export const articleFilters = [...articleStatuses, 'deleted'] as const;
export type ArticleStatusFilter = (typeof articleFilters)[number];

/** Kinds that administrators can create. Setup creates the articles of the other kinds, which have fixed URLs. */
export const creatableArticleKinds = ['post', 'help', 'position'] as const;
const orderedKinds = ['help', 'position'] as const;
const isOneOf = (kinds: readonly ArticleKind[], kind: ArticleKind) => kinds.includes(kind);
export const isOrderedKind = (kind: ArticleKind): boolean => isOneOf(orderedKinds, kind);
/** Whether articles of a kind always stay public at their URL. */
export const isFixedKind = (kind: ArticleKind): boolean => !isOneOf(creatableArticleKinds, kind);

/** A minus means descending. `place`: the order that administrators chose. */
export const articleSorts = ['-updated', 'updated', '-published', 'published', 'title', '-title', 'place'] as const;
export const defaultSortOf = (kind: ArticleKind): ArticleSort => (isOrderedKind(kind) ? 'place' : '-updated');
export type ArticleSort = (typeof articleSorts)[number];

export const revisionReasons = ['autosave', 'publish', 'schedule', 'unpublish', 'restore', 'api'] as const;
export type RevisionReason = (typeof revisionReasons)[number];

export const articleLimits = {
  titleLength: 200,
  slugLength: 100,
  excerptLength: 500,
  contentBytes: 100_000,
  /**
   * Maximum size of a request with Markdown content, in bytes. Larger than `contentBytes`, because JSON escapes
   * characters.
   */
  bodyBytes: 400 * 1024,
  /** Maximum nesting depth of lists, quotations, and tables. */
  nesting: 30,
  categories: 10,
  categoryNameLength: 60,
  categoryDescriptionLength: 300,
  seoTitleLength: 120,
  seoDescriptionLength: 300,
  /** Days for which a deleted article can be restored. */
  deletedDays: 30,
  previewDays: 7,
  /** Maximum number of days until a legal text takes effect. */
  effectiveDays: 365,
  postsPerPage: 12,
  feedPosts: 20,
  /** A sitemap can have 50,000 URLs (sitemaps.org), including those of other pages. */
  sitemapPosts: 49_000,
  wordsPerMinute: 225,
} as const;

export const helpLimits = {
  searchLength: 200,
  results: 20,
  /**
   * Maximum number of words in a search for typos to be corrected. `similarity`: minimum similarity of a correction
   * (pg_trgm).
   */
  correctedWords: 8,
  similarity: 0.4,
  /** Maximum number of questions per group, and of popular articles, on the help page. Search covers all articles. */
  questionsPerGroup: 50,
  popular: 6,
  /** Distinct searches that are counted per day. `statisticDays`: days for which searches and votes are kept. */
  termsPerDay: 10_000,
  statisticDays: 90,
  statisticRows: 100,
} as const;

const articlePaths: Record<ArticleKind, (slug: string) => string> = {
  post: postPath,
  help: helpPath,
  legal: (slug) => `/${slug}`,
  page: (slug) => `/${slug}`,
  position: positionPath,
};

export const pathOfArticle = (kind: ArticleKind, slug: string): string => articlePaths[kind](slug);
