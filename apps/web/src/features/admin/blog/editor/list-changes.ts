import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { Category } from '@uprez/contracts/schemas/content/categories';
import { mediaPath } from '@uprez/contracts/texts/media';
import { diffLines, diffWordsWithSpace } from 'diff';
import { editorMessages } from './messages.ts';

const { fields: labels, yes, no, none } = editorMessages;

/** A part of a text: in both versions, or only in the first (`removed`) or the second (`added`). */
export type TextPart = { kind: 'same' | 'added' | 'removed'; value: string };
export type FieldChange = { label: string; parts: readonly TextPart[] };

/** A comparison by words that takes longer is made by lines. */
const wordsTimeoutMs = 500;
/** Characters of unchanged text around a change. */
const contextLength = 120;

function shorten(value: string, isFirst: boolean, isLast: boolean): string {
  const start = isFirst ? '' : value.slice(0, contextLength);
  const end = isLast ? '' : value.slice(-contextLength);
  return value.length > start.length + end.length ? `${start} … ${end}` : value;
}

function compareTexts(before: string, after: string): TextPart[] {
  const changes = diffWordsWithSpace(before, after, { timeout: wordsTimeoutMs }) ?? diffLines(before, after);
  return changes.map(({ added, removed, value }, index) => {
    if (added) return { kind: 'added', value };
    if (removed) return { kind: 'removed', value };
    return { kind: 'same', value: shorten(value, index === 0, index === changes.length - 1) };
  });
}

/** Both values as texts, in the order of the editor. */
function describe(fields: ArticleFields, categories: readonly Category[]): Record<keyof typeof labels, string> {
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

/** What differs between two versions of an article, field by field. */
export function listChanges(
  before: ArticleFields,
  after: ArticleFields,
  categories: readonly Category[],
): FieldChange[] {
  const [first, second] = [describe(before, categories), describe(after, categories)];
  return Object.entries(labels).flatMap(([name, label]) => {
    const [one, other] = [first[name as keyof typeof labels], second[name as keyof typeof labels]];
    return one === other ? [] : [{ label, parts: compareTexts(one, other) }];
  });
}
