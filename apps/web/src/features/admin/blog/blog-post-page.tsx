import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pathOfArticle } from '@uprez/contracts/policy/articles';
import type { Article } from '@uprez/contracts/schemas/content/articles';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { useState } from 'react';
import { Link, Navigate, useLocation, useParams } from 'react-router';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { articlePath, newId } from '../frame/admin-paths.ts';
import { useHasPermission } from '../frame/use-own-user.ts';
import { ensureNewArticleId } from './editor/kept-draft.ts';
import { editorMessages as text } from './editor/messages.ts';
import { PostEditor } from './editor/post-editor.tsx';
import { articleKey } from './editor/use-draft.ts';
import { blogMessages as blogText, kindNames, kindTitle } from './messages.ts';
import { articlesKey, type CategoryKind } from './queries.ts';

/** Kind of a new article, by the path of the list from which it was created. */
const articleKindsByPath: Readonly<Record<string, CategoryKind>> = {
  [adminPages.posts]: 'post',
  [adminPages.help]: 'help',
  [adminPages.pages]: 'position',
};

/** The editor of an article. The first save changes the path of a new article, but the editor stays mounted. */
export function PostPage() {
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  const kind = articleKindsByPath[listPathOf(pathname)] ?? 'post';
  /** `ownId`: ID of the article that was created on this page. */
  const open = (before?: string) => ({ id, ownId: id === newId ? ensureNewArticleId(kind) : before });
  const [opened, setOpened] = useState(() => open());
  if (opened.id !== id) setOpened(open(opened.ownId));
  const { ownId } = opened;
  return ownId && (id === newId || id === ownId) ? (
    <NewPage key={ownId} id={ownId} kind={kind} />
  ) : (
    <ArticlePage id={id} />
  );
}

/**
 * Loads the current version of an article, and never a cached version. The editor uses only the first result, because
 * it may have saved newer changes by the time of a refetch.
 */
const useArticle = (id: string) =>
  useQuery({
    queryKey: articleKey(id),
    queryFn: async ({ signal }) => (await adminApi.adminGetArticle({ params: { id }, signal })).data,
    ...{ staleTime: 0, gcTime: 0 },
  });

/** Derives the list page from an editor's path, because the article's kind isn't known until the article has loaded. */
const listPathOf = (pathname: string) => pathname.slice(0, pathname.lastIndexOf('/')) || adminPages.posts;

function BackLink() {
  const list = listPathOf(useLocation().pathname);
  return (
    <Link to={list} className={buttonStyle({ look: 'secondary' })}>
      {list === adminPages.posts ? text.back : text.backToList}
    </Link>
  );
}

function NewPage({ id, kind }: { id: string; kind: CategoryKind }) {
  const { pathname } = useLocation();
  if (!useHasPermission('content.manage')) return <Navigate to={listPathOf(pathname)} replace />;
  const heading = pathname === articlePath(kind, id) ? text.heading : text.newHeading;
  return (
    <AdminPage title={heading(kindNames[kind])} subtitle={text.subtitle} actions={<BackLink />}>
      <NewArticle id={id} kind={kind} />
    </AdminPage>
  );
}

function ArticlePage({ id }: { id: string }) {
  const { pathname } = useLocation();
  const query = useArticle(id);
  const isPost = listPathOf(pathname) === adminPages.posts;
  const kind = query.data?.kind ?? (isPost ? 'post' : 'page');
  const mayManage = useHasPermission('content.manage');
  const back = <BackLink />;
  const missing = isPost ? text.notFound.post : text.notFound.other;
  if (hasErrorCode(query.error, 'article_not_found') || (query.data && articlePath(query.data.kind, id) !== pathname))
    return (
      <AdminPage title={missing} subtitle="">
        <EmptyState title={text.notFound.text} action={back} />
      </AdminPage>
    );
  return (
    <AdminPage
      title={mayManage ? text.heading(kindNames[kind]) : kindTitle(kind)}
      subtitle={mayManage ? text.subtitle : text.readOnlySubtitle}
      actions={back}
    >
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(article) => <PostEditor key={article.id} article={article} />}
      </QueryView>
    </AdminPage>
  );
}

type NewArticleProps = { id: string; kind: CategoryKind };

const emptyFields = {
  ...{ title: '', slug: '', excerpt: '', content: '', categoryIds: [], featured: false, featuredMediaId: null },
  seo: { title: '', description: '' },
} satisfies Article['fields'];

const makeEmptyArticle = ({ id, kind }: NewArticleProps): Article => ({
  ...{ id, kind, title: '', slug: '', publicSlug: null, status: 'draft', hasChanges: false, featured: false },
  ...{ author: null, categories: [], publishAt: null, publishedAt: null, deletedAt: null },
  ...{ updatedAt: new Date().toISOString(), saved: null, version: 0, readingMinutes: 1, fields: emptyFields },
  url: window.location.origin + pathOfArticle(kind, ''),
});

/**
 * Edits a new article, which exists only in the browser until its first save. `id`: ID that the article will have on
 * the server.
 */
function NewArticle({ id, kind }: NewArticleProps) {
  const [article] = useState(() => makeEmptyArticle({ id, kind }));
  const client = useQueryClient();
  const create = async () => {
    await adminApi.adminCreateArticle({ body: { kind, id } });
    void client.invalidateQueries({ queryKey: articlesKey });
    if (kind === 'post') showToast({ title: blogText.success, description: blogText.created });
  };
  return <PostEditor article={article} create={create} />;
}
