import type { Article, ArticleRow as ArticleListRow } from '@uprez/contracts/schemas/content/articles';
import type { FoundArticle, ListedArticle } from '@uprez/db/queries/content/list-articles';
import { articleFieldsOf } from '../text/article-fields.ts';
import { countWords, readingMinutesOf } from '../text/plain-text.ts';

/** An article as editors see it, without the URL, which the gateway adds. */
export type ArticleView = Omit<Article, 'url'>;

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
  // A draft has no public text that it could differ from.
  hasChanges: row.status !== 'draft' && hasChanges,
  featured: row.featured,
  author: row.author,
  categories: row.categories,
  publishAt: publishAt?.toISOString() ?? null,
  publishedAt: publishedAt?.toISOString() ?? null,
  updatedAt: updatedAt.toISOString(),
  deletedAt: deletedAt?.toISOString() ?? null,
});

/** Converts an article for editors. Contains the text of the draft. */
export const presentArticle = (found: FoundArticle): ArticleView => ({
  ...presentArticleRow(found),
  fields: articleFieldsOf(found),
  version: found.version,
  saved: found.savedAt && { at: found.savedAt.toISOString(), by: found.savedBy },
  readingMinutes: readingMinutesOf(countWords(found.contentMd)),
});
