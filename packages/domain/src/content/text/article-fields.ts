import { isDeepStrictEqual } from 'node:util';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { ArticleRow, DraftRow } from '@uprez/db/queries/content/articles';

type TextColumns = Pick<
  DraftRow,
  'title' | 'excerpt' | 'contentMd' | 'categoryIds' | 'featured' | 'seo' | 'featuredMediaId'
>;

export const articleFieldsOf = ({ slug, ...draft }: TextColumns & Pick<DraftRow, 'slug'>): ArticleFields => ({
  title: draft.title,
  slug,
  excerpt: draft.excerpt,
  content: draft.contentMd,
  categoryIds: draft.categoryIds,
  featured: draft.featured,
  seo: draft.seo,
  featuredMediaId: draft.featuredMediaId,
});

export const publicFieldsOf = (article: ArticleRow, categoryIds: string[]): ArticleFields =>
  articleFieldsOf({ ...article, slug: article.slug ?? '', categoryIds });

/** Converts article fields to the columns shared by drafts and public texts, plus the draft's `categoryIds`. */
export const articleColumnsOf = ({ content: contentMd, seo, slug, ...fields }: ArticleFields) => ({
  ...fields,
  slug,
  contentMd,
  seo: JSON.stringify(seo),
});

/** Whether two texts are the same. Ignores the order of categories. */
export const areSame = (one: ArticleFields, other: ArticleFields): boolean =>
  isDeepStrictEqual(sortCategoryIds(one), sortCategoryIds(other));

const sortCategoryIds = ({ categoryIds, ...fields }: ArticleFields) => ({
  ...fields,
  categoryIds: categoryIds.toSorted(),
});
