import type { Article, ArticleRow as ArticleListRow } from '@uprez/contracts/schemas/content/articles';
import type { FoundArticle, ListedArticle } from '@uprez/db/queries/content/list-articles';
import { articleFieldsOf } from '../text/article-fields.ts';
import { countWords, readingMinutesOf } from '../text/plain-text.ts';

/** An article as editors see it. The gateway adds its URL. */
export type ArticleView = Omit<Article, 'url'>;

/** Converts an article to a row of the editors' list. */
export const presentArticleRow = ({
  hasChanges,
  publishAt,
  publishedAt,
  updatedAt,
  deletedAt,
  ...row
}: Omit<ListedArticle, 'sortValue'>): ArticleListRow => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  slug: row.slug,
  publicSlug: row.status === 'published' ? row.publicSlug : null,
  status: row.status,
  // A draft has no public text to differ from.
  hasChanges: row.status !== 'draft' && hasChanges,
  featured: row.featured,
  author: row.author,
  categories: row.categories,
  publishAt: publishAt?.toISOString() ?? null,
  publishedAt: publishedAt?.toISOString() ?? null,
  updatedAt: updatedAt.toISOString(),
  deletedAt: deletedAt?.toISOString() ?? null,
});

/** Converts an article, with the text of its draft. */
export const presentArticle = (found: FoundArticle): ArticleView => ({
  ...presentArticleRow(found),
  fields: articleFieldsOf(found),
  version: found.version,
  saved: found.savedAt && { at: found.savedAt.toISOString(), by: found.savedBy },
  readingMinutes: readingMinutesOf(countWords(found.contentMd)),
});
