import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { Category } from '@uprez/contracts/schemas/content/categories';
import { mediaPath } from '@uprez/contracts/texts/media';
import { compareTexts, type TextPart } from '../../../../ui/article/compare-texts.ts';
import { editorMessages } from './messages.ts';

const { fields: labels, yes, no, none } = editorMessages;

export type FieldChange = { label: string; parts: readonly TextPart[] };

/** Formats the fields of a version as text. */
function formatFields(fields: ArticleFields, categories: readonly Category[]): Record<keyof typeof labels, string> {
  const { title, slug, excerpt, content, categoryIds, featured, featuredMediaId, seo } = fields;
  const nameOf = (id: string) => categories.find((category) => category.id === id)?.name ?? id;
  return {
    ...{ title, slug, excerpt, content },
    categoryIds: categoryIds.map(nameOf).sort().join(', '),
    featured: featured ? yes : no,
    featuredMediaId: featuredMediaId ? mediaPath(featuredMediaId) : none,
    seoTitle: seo.title,
    seoDescription: seo.description,
  };
}

/** Returns the differences between two versions of an article, by field. */
export function listChanges(
  before: ArticleFields,
  after: ArticleFields,
  categories: readonly Category[],
): FieldChange[] {
  const [first, second] = [formatFields(before, categories), formatFields(after, categories)];
  return Object.entries(labels).flatMap(([name, label]) => {
    const [one, other] = [first[name as keyof typeof labels], second[name as keyof typeof labels]];
    return one === other ? [] : [{ label, parts: compareTexts(one, other) }];
  });
}
