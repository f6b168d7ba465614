import { mediaPath } from '@uprez/contracts/policy/images/media';
import type { ArticleFields, Category } from '@uprez/contracts/schemas/content/articles';
import { Changes, compareTexts, type TextPart } from '../../../../ui/article/changes.tsx';
import { editorMessages } from './messages.ts';

export const ChangesView = ({ changes, legend }: { changes: readonly FieldChange[]; legend: string }) => (
  <div className="grid min-w-0 gap-4">
    <p className="text-muted text-xs">{legend}</p>
    {changes.map(({ label, parts }) => (
      <section key={label} aria-label={label} className="grid min-w-0 gap-1">
        <h3 className="font-medium text-sm">{label}</h3>
        <Changes parts={parts} />
      </section>
    ))}
  </div>
);

const { fields: labels, yes, no, none } = editorMessages;

type FieldChange = { label: string; parts: readonly TextPart[] };

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
