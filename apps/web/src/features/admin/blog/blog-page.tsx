import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import type { ArticleRow } from '@uprez/contracts/schemas/content/articles';
import { postPath as publicPath } from '@uprez/contracts/texts/site/pages';
import { ExternalLink, Eye, PenLine, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { useSearchParam } from '../../../lib/browser/use-search-param.ts';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { newId, postPath } from '../frame/admin-paths.ts';
import { useHasPermission } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';
import { CategoryList, NewCategoryButton } from './categories/category-list.tsx';
import { categoryMessages, blogMessages as text } from './messages.ts';
import { DeletePostDialog } from './posts/delete-post-dialog.tsx';
import { AuthorCell, NewArticleButton, StatusCell, StatusChips, TitleCell } from './posts/post-cells.tsx';
import { useRestorePost } from './queries.ts';

const tabNames = ['posts', 'categories'] as const;

export function PostsPage() {
  const mayManage = useHasPermission('content.manage');
  const [params] = useSearchParams();
  const [tab, setTab] = useSearchParam({ name: 'tab', choices: tabNames, fallback: 'posts', addsHistory: true });
  if (params.get('new') === 'true') return <Navigate to={postPath(newId)} replace />;
  const action =
    tab === 'posts' ? (
      <NewArticleButton kind="post" label={text.newPost} />
    ) : (
      <NewCategoryButton kind="post" label={categoryMessages.new} />
    );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayManage && action}>
      <Tabs
        label={text.tabsLabel}
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'posts', label: text.tabs.posts, content: <PostList /> },
          { value: 'categories', label: text.tabs.categories, content: <CategoryList kind="post" /> },
        ]}
      />
    </AdminPage>
  );
}

const { columns: names } = text;
const columns: Column<ArticleRow, ColumnOf<'articles'>>[] = [
  { id: 'title', name: names.title, cell: TitleCell, sort: 'title' },
  { id: 'status', name: names.status, cell: StatusCell },
  { id: 'author', name: names.author, cell: AuthorCell },
  {
    id: 'categories',
    name: names.categories,
    cell: (row) => row.categories.map(({ name }) => name).join(', ') || text.noValue,
  },
  {
    id: 'published',
    name: names.published,
    cell: ({ publishedAt }) => (publishedAt ? <TimeCell at={publishedAt} /> : text.noValue),
    sort: 'published',
  },
  { id: 'updated', name: names.updated, cell: ({ updatedAt }) => <TimeCell at={updatedAt} />, sort: 'updated' },
];

function PostList() {
  const navigate = useNavigate();
  const mayManage = useHasPermission('content.manage');
  const [deleted, setDeleted] = useState<ArticleRow>();
  const table = useTable(tables.articles, {
    load: ({ query, signal }) => adminApi.adminListArticles({ query: { ...query, kind: 'post' }, signal }),
    values: ['kind'],
    fixed: { kind: 'post' },
  });
  const [status] = table.filters;
  const restore = useRestorePost();
  const edit = ({ id, deletedAt }: ArticleRow) => void (deletedAt ?? navigate(postPath(id)));
  return (
    <>
      <DataTable
        text={text}
        table={{ ...table, filters: [] }}
        filters={status && <StatusChips filter={status} />}
        columns={columns}
        onOpen={edit}
        actions={(row) => {
          const { id, title, publicSlug, deletedAt } = row;
          const label = adminMessages.table.actions(title || text.untitled);
          if (deletedAt) {
            const item = { label: text.restore, icon: RotateCcw, onSelect: () => restore.mutate(id) };
            return mayManage && <ActionsMenu label={label} items={[item]} />;
          }
          const open = mayManage
            ? { label: text.edit, icon: PenLine, onSelect: () => edit(row) }
            : { label: text.open, icon: Eye, onSelect: () => edit(row) };
          const view = publicSlug !== null && {
            label: text.view,
            icon: ExternalLink,
            onSelect: () => void window.open(publicPath(publicSlug), '_blank', 'noopener'),
          };
          const remove = { label: text.delete, icon: Trash2, danger: true, onSelect: () => setDeleted(row) };
          const items = [open, ...(view ? [view] : []), ...(mayManage ? [remove] : [])];
          return <ActionsMenu label={label} items={items} />;
        }}
      />
      {deleted && <DeletePostDialog post={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}
