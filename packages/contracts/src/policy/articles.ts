// cspell:ignore trgm
/** What the store of articles holds: posts of the blog, help, legal texts, other pages, and open positions. */
export const articleKinds = ['post', 'help', 'legal', 'page', 'position'] as const;
export type ArticleKind = (typeof articleKinds)[number];

export const articleStatuses = ['draft', 'scheduled', 'published'] as const;
export type ArticleStatus = (typeof articleStatuses)[number];
/** Filters of the list. `deleted`: articles that can be restored. All other lists leave them out. */
export const articleFilters = [...articleStatuses, 'deleted'] as const;
export type ArticleStatusFilter = (typeof articleFilters)[number];

/** Kinds that administrators create. The setup creates the articles of other kinds, whose URLs are fixed. */
export const newArticleKinds = ['post', 'help', 'position'] as const;
/** Kinds whose articles have an order that administrators choose. */
export const orderedKinds = ['help', 'position'] as const;
const isOneOf = (kinds: readonly ArticleKind[], kind: ArticleKind) => kinds.includes(kind);
export const isOrdered = (kind: ArticleKind): boolean => isOneOf(orderedKinds, kind);
/** Whether articles of a kind always stay public at their URL. */
export const isFixed = (kind: ArticleKind): boolean => !isOneOf(newArticleKinds, kind);

/** Sort orders of articles. A minus means descending. `place`: the order that administrators chose. */
export const articleSorts = ['-updated', 'updated', '-published', 'published', 'title', '-title', 'place'] as const;
/** The sort order without another one. */
export const defaultSort = (kind: ArticleKind): ArticleSort => (isOrdered(kind) ? 'place' : '-updated');
export type ArticleSort = (typeof articleSorts)[number];

/** Why a revision was kept. */
export const revisionReasons = ['autosave', 'publish', 'schedule', 'unpublish', 'restore', 'api'] as const;
export type RevisionReason = (typeof revisionReasons)[number];

export const articleLimits = {
  titleLength: 200,
  slugLength: 100,
  excerptLength: 500,
  /** Largest Markdown text, bytes. */
  contentBytes: 100_000,
  /** Largest request with such a text, bytes: JSON escapes characters. */
  bodyBytes: 400 * 1024,
  /** Deepest nesting of lists, quotations, and tables. */
  nesting: 30,
  categories: 10,
  categoryNameLength: 60,
  categoryDescriptionLength: 300,
  seoTitleLength: 120,
  seoDescriptionLength: 300,
  /** How long a deleted article can be restored, days. */
  deletedDays: 30,
  previewDays: 7,
  /** How far ahead a legal text can take effect, days. */
  effectiveDays: 365,
  postsPerPage: 12,
  /** The latest posts in feeds. */
  feedPosts: 20,
  /** Posts in the sitemap. A sitemap may have 50,000 URLs (sitemaps.org), also of other pages. */
  sitemapPosts: 49_000,
  /** Reading speed, words per minute. */
  wordsPerMinute: 225,
} as const;

export const helpLimits = {
  /** Longest search, characters. */
  searchLength: 200,
  results: 20,
  /** Words of a search that are corrected at most, and the least similarity of their corrections (pg_trgm). */
  correctedWords: 8,
  similarity: 0.4,
  /** Questions of a group, and popular articles, on the page. The search finds all. */
  questionsPerGroup: 50,
  popular: 6,
  /** Different searches that are counted per day, and days for which searches and votes are kept. */
  termsPerDay: 10_000,
  statisticDays: 90,
  /** Rows of the lists of searches and votes. */
  statisticRows: 100,
} as const;
