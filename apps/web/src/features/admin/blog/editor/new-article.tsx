import { useQueryClient } from '@tanstack/react-query';
import type { Article } from '@uprez/contracts/schemas/content/articles';
import { pathOfArticle } from '@uprez/contracts/texts/article-path';
import { useState } from 'react';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { adminApi } from '../../admin-api.ts';
import { blogMessages as text } from '../messages.ts';
import type { CategoryKind } from '../queries.ts';
import { articlesKey } from '../queries.ts';
import { PostEditor } from './post-editor.tsx';

type NewArticleProps = { id: string; kind: CategoryKind };

const noText = {
  ...{ title: '', slug: '', excerpt: '', content: '', categoryIds: [], featured: false, featuredMediaId: null },
  seo: { title: '', description: '' },
} satisfies Article['fields'];

const emptyArticle = ({ id, kind }: NewArticleProps): Article => ({
  ...{ id, kind, title: '', slug: '', publicSlug: null, status: 'draft', hasChanges: false, featured: false },
  ...{ author: null, categories: [], publishAt: null, publishedAt: null, deletedAt: null },
  ...{ updatedAt: new Date().toISOString(), saved: null, version: 0, readingMinutes: 1, fields: noText },
  url: window.location.origin + pathOfArticle(kind, ''),
});

/** The editor of an article that exists only here until its first save. `id`: what it will have. */
export function NewArticle({ id, kind }: NewArticleProps) {
  const [article] = useState(() => emptyArticle({ id, kind }));
  const client = useQueryClient();
  const create = async () => {
    await adminApi.adminCreateArticle({ body: { kind, id } });
    void client.invalidateQueries({ queryKey: articlesKey });
    if (kind === 'post') showToast({ title: text.success, description: text.created });
  };
  return <PostEditor article={article} create={create} />;
}
