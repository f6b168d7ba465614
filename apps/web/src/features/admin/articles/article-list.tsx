import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import { type ArticleKind, articleSorts, isOrderedKind, pathOfArticle } from '@uprez/contracts/policy/articles';
import type { ArticleRow } from '@uprez/contracts/schemas/content/articles';
import { ArrowDown, ArrowUp, ExternalLink, PenLine, RotateCcw } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { blogMessages } from '../blog/messages.ts';
import { StatusCell, StatusChips, TitleCell } from '../blog/posts/post-cells.tsx';
import { hasCategories, postKeys, useRestorePost } from '../blog/queries.ts';
import { articlePath } from '../frame/admin-paths.ts';
import { useHasPermission } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';

export const articleMessages = {
  help: {
    title: 'Help',
    subtitle: 'Questions and articles of the help center',
    tabsLabel: 'Help',
    tabs: { articles: 'Articles', categories: 'Categories', searches: 'Searches', votes: 'Votes' },
    new: 'New Article',
  },
  pages: {
    title: 'Pages',
    subtitle: 'Pages of the site, legal texts, and positions',
    tabsLabel: 'Pages',
    tabs: { pages: 'Pages', legal: 'Legal', positions: 'Positions', departments: 'Departments' },
    new: 'New Position',
    newDepartment: 'New Department',
    missing: (facts: string) => `The legal pages don't name these facts yet: ${facts}.`,
    enterFacts: 'Enter them in General Settings',
  },
  failure: 'Error',
  caption: 'Articles',
  search: 'Search by title or slug',
  columns: {
    title: 'Title',
    status: 'Status',
    categories: 'Categories',
    departments: 'Departments',
    updated: 'Updated',
  },
  noValue: '-',
  empty: { title: 'No articles yet', text: 'Write an article, and publish it.' },
  edit: 'Edit',
  view: 'View on site',
  up: 'Move up',
  down: 'Move down',
  searches: {
    caption: 'Searches',
    term: 'Search',
    count: 'Searches',
    missed: 'Without result',
    last: 'Last day',
    onlyMissed: 'Only searches without a result',
    empty: { title: 'No searches', text: 'Searches of the last 90 days appear here.' },
  },
  votes: {
    caption: 'Votes',
    article: 'Article',
    yes: 'Yes',
    no: 'No',
    empty: { title: 'No votes', text: 'Votes of the last 90 days appear here.' },
  },
} as const;

const columns: Column<ArticleRow, ColumnOf<'articles'>>[] = [
  { id: 'title', name: articleMessages.columns.title, cell: TitleCell, sort: 'title' },
  { id: 'status', name: articleMessages.columns.status, cell: StatusCell },
  {
    id: 'categories',
    name: articleMessages.columns.categories,
    cell: (row) => row.categories.map(({ name }) => name).join(', ') || articleMessages.noValue,
  },
  {
    id: 'updated',
    name: articleMessages.columns.updated,
    cell: ({ updatedAt }) => <TimeCell at={updatedAt} />,
    sort: 'updated',
  },
];

/** Kinds with an order are sorted by position. */
export function ArticleList({ kind }: { kind: ArticleKind }) {
  const navigate = useNavigate();
  const mayManage = useHasPermission('content.manage');
  const move = useMoveArticle();
  const restore = useRestorePost(kind);
  const sorts = isOrderedKind(kind) ? (['place', ...articleSorts.slice(0, -1)] as const) : articleSorts;
  const shown = columnsOf(kind);
  const table = useTable(
    {
      ...tables.articles,
      sorts,
      columns: tables.articles.columns.filter((id) => shown.some((column) => column.id === id)),
    },
    {
      load: ({ query, signal }) => adminApi.adminListArticles({ query: { ...query, kind }, signal }),
      values: ['kind'],
      fixed: { kind },
    },
  );
  const [status] = table.filters;
  const edit = ({ id, deletedAt }: ArticleRow) => void (deletedAt ?? navigate(articlePath(kind, id)));
  const itemsOf = (row: ArticleRow) => {
    const { id, publicSlug, deletedAt } = row;
    if (deletedAt)
      return mayManage ? [{ label: blogMessages.restore, icon: RotateCcw, onSelect: () => restore.mutate(id) }] : [];
    const view = publicSlug !== null && {
      label: articleMessages.view,
      icon: ExternalLink,
      onSelect: () => void window.open(pathOfArticle(kind, publicSlug), '_blank', 'noopener'),
    };
    const moves = [
      { label: articleMessages.up, icon: ArrowUp, onSelect: () => move.mutate({ id, direction: 'up' }) },
      { label: articleMessages.down, icon: ArrowDown, onSelect: () => move.mutate({ id, direction: 'down' }) },
    ];
    return [
      { label: articleMessages.edit, icon: PenLine, onSelect: () => edit(row) },
      ...(view ? [view] : []),
      ...(mayManage && isOrderedKind(kind) && table.sort === 'place' ? moves : []),
    ];
  };
  return (
    <DataTable
      text={articleMessages}
      table={{ ...table, filters: [] }}
      filters={status && <StatusChips filter={status} />}
      columns={shown}
      onOpen={edit}
      actions={(row) => (
        <ActionsMenu label={adminMessages.table.actions(row.title || blogMessages.untitled)} items={itemsOf(row)} />
      )}
    />
  );
}

/** Pages and legal texts have no categories. For positions, the categories are called departments. */
const columnsOf = (kind: ArticleKind) =>
  columns
    .filter(({ id }) => id !== 'categories' || hasCategories(kind))
    .map((column) =>
      column.id === 'categories' && kind === 'position'
        ? { ...column, name: articleMessages.columns.departments }
        : column,
    );

const useMoveArticle = () =>
  useResourceMutation({
    call: async ({ id, direction }: { id: string; direction: 'up' | 'down' }) =>
      void (await adminApi.adminMoveArticle({ params: { id }, body: { direction } })),
    invalidates: postKeys,
    errorTitle: articleMessages.failure,
  });
