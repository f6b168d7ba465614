import type { ArticleRow } from '@uprez/contracts/schemas/content/articles';
import type { ExportColumns } from '../admin/send-export.ts';

export const articleColumns: ExportColumns<'articles', ArticleRow> = {
  title: {
    article: ({ id }) => id,
    title: ({ title }) => title,
    slug: ({ slug }) => slug,
    featured: ({ featured }) => (featured ? 'yes' : 'no'),
  },
  status: { status: ({ status }) => status, has_changes: ({ hasChanges }) => (hasChanges ? 'yes' : 'no') },
  author: {
    author: ({ author }) => author?.firstName ?? null,
    author_email: ({ author }) => author?.email ?? null,
  },
  categories: { categories: ({ categories }) => categories.map(({ name }) => name).join(', ') || null },
  published: { scheduled_for: ({ publishAt }) => publishAt, published: ({ publishedAt }) => publishedAt },
  updated: { updated: ({ updatedAt }) => updatedAt, deleted: ({ deletedAt }) => deletedAt },
};
