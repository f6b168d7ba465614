import { isDeepStrictEqual } from 'node:util';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { ArticleRow, DraftRow } from '@uprez/db/queries/content/articles';

type TextColumns = Pick<
  DraftRow,
  'title' | 'excerpt' | 'contentMd' | 'categoryIds' | 'featured' | 'seo' | 'featuredMediaId'
>;

/** The text that an editor edits. */
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

/** The text that is public, or scheduled. */
export const publicFieldsOf = (article: ArticleRow, categoryIds: string[]): ArticleFields =>
  articleFieldsOf({ ...article, slug: article.slug ?? '', categoryIds });

/** The columns that both the draft and the public text have, and the categories of the draft. */
export const articleColumnsOf = ({ content: contentMd, seo, slug, ...fields }: ArticleFields) => ({
  ...fields,
  slug,
  contentMd,
  seo: JSON.stringify(seo),
});

/** Whether two texts are the same. The order of categories means nothing. */
export const areSame = (one: ArticleFields, other: ArticleFields): boolean =>
  isDeepStrictEqual(sorted(one), sorted(other));

const sorted = ({ categoryIds, ...fields }: ArticleFields) => ({ ...fields, categoryIds: categoryIds.toSorted() });
