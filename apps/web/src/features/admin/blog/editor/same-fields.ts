import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';

const inOrder = ({ title, slug, excerpt, content, categoryIds, featured, featuredMediaId, seo }: ArticleFields) =>
  JSON.stringify([title, slug, excerpt, content, categoryIds, featured, featuredMediaId, seo.title, seo.description]);

/** Whether two versions of an article have the same text and details. */
export const sameFields = (one: ArticleFields, other: ArticleFields): boolean => inOrder(one) === inOrder(other);
