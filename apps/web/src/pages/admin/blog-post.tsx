import { useQuery } from '@tanstack/react-query';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { useState } from 'react';
import { Link, Navigate, useLocation, useParams } from 'react-router';
import { adminApi } from '../../features/admin/admin-api.ts';
import { newArticleId } from '../../features/admin/blog/editor/kept-draft.ts';
import { editorMessages as text } from '../../features/admin/blog/editor/messages.ts';
import { NewArticle } from '../../features/admin/blog/editor/new-article.tsx';
import { PostEditor } from '../../features/admin/blog/editor/post-editor.tsx';
import { articleKey } from '../../features/admin/blog/editor/use-draft.ts';
import { kindNames, kindTitle } from '../../features/admin/blog/kind-names.ts';
import type { CategoryKind } from '../../features/admin/blog/queries.ts';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { articlePath, newId } from '../../features/admin/frame/article-path.ts';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';

/** The article as it is now. It is read once: what the editor saves since isn't replaced. */
const useArticle = (id: string) =>
  useQuery({
    queryKey: articleKey(id),
    queryFn: async ({ signal }) => (await adminApi.adminGetArticle({ params: { id }, signal })).data,
    ...{ staleTime: 0, gcTime: 0 },
  });

/** The list of what is edited at a path, also before it is known which kind it has. */
const listOf = (pathname: string) => pathname.slice(0, pathname.lastIndexOf('/')) || adminPages.posts;

function BackLink() {
  const list = listOf(useLocation().pathname);
  return (
    <Link to={list} className={buttonStyle({ look: 'secondary' })}>
      {list === adminPages.posts ? text.back : text.backToList}
    </Link>
  );
}

/** The kind of a new article, by its list. */
const newKinds: Readonly<Record<string, CategoryKind>> = {
  [adminPages.posts]: 'post',
  [adminPages.help]: 'help',
  [adminPages.pages]: 'position',
};

/** The editor of an article. A new one stays in its editor when its first save gives it a path. */
export function PostPage() {
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  const kind = newKinds[listOf(pathname)] ?? 'post';
  /** `ownId`: of the article that began on this page. */
  const open = (before?: string) => ({ id, ownId: id === newId ? newArticleId(kind) : before });
  const [opened, setOpened] = useState(() => open());
  if (opened.id !== id) setOpened(open(opened.ownId));
  const { ownId } = opened;
  return ownId && (id === newId || id === ownId) ? (
    <NewPage key={ownId} id={ownId} kind={kind} />
  ) : (
    <ArticlePage id={id} />
  );
}

function NewPage({ id, kind }: { id: string; kind: CategoryKind }) {
  const { pathname } = useLocation();
  if (!useMay('content.manage')) return <Navigate to={listOf(pathname)} replace />;
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
  const isPost = listOf(pathname) === adminPages.posts;
  const kind = query.data?.kind ?? (isPost ? 'post' : 'page');
  const mayManage = useMay('content.manage');
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
