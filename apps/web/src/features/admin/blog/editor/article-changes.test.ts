import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import { expect, it } from 'vitest';
import { listChanges } from './article-changes.tsx';

const fields: ArticleFields = {
  ...{ title: 'One', slug: 'one', excerpt: '', content: 'A red fox.', categoryIds: [], featured: false },
  seo: { title: '', description: '' },
  featuredMediaId: null,
};

it('lists the parts that differ, field by field', () => {
  const after = { ...fields, content: 'A blue fox.', featured: true, seo: { title: 'Fox', description: '' } };
  expect(listChanges(fields, after, [])).toEqual([
    {
      label: 'Content',
      parts: [
        { kind: 'same', value: 'A ' },
        { kind: 'removed', value: 'red' },
        { kind: 'added', value: 'blue' },
        { kind: 'same', value: ' fox.' },
      ],
    },
    {
      label: 'Featured',
      parts: [
        { kind: 'removed', value: 'No' },
        { kind: 'added', value: 'Yes' },
      ],
    },
    { label: 'SEO title', parts: [{ kind: 'added', value: 'Fox' }] },
  ]);
  expect(listChanges(fields, fields, [])).toEqual([]);
});

it('shortens what is the same', () => {
  const long = 'word '.repeat(1_000);
  const [change] = listChanges({ ...fields, content: `${long}a` }, { ...fields, content: `${long}b` }, []);
  expect(change?.parts[0]?.value.length).toBeLessThan(200);
});
