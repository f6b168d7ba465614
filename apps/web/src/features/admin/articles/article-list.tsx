import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import { type ArticleKind, articleSorts, isOrdered } from '@uprez/contracts/policy/articles';
import type { ArticleRow } from '@uprez/contracts/schemas/content/articles';
import { pathOfArticle } from '@uprez/contracts/texts/site/article-path';
import { ArrowDown, ArrowUp, ExternalLink, PenLine, RotateCcw } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { blogMessages } from '../blog/messages.ts';
import { StatusCell, TitleCell } from '../blog/posts/post-cells.tsx';
import { postKeys, useRestorePost } from '../blog/posts/use-post-mutations.ts';
import { hasCategories } from '../blog/queries.ts';
import { StatusChips } from '../blog/status-badge.tsx';
import { articlePath } from '../frame/admin-paths.ts';
import { useMay } from '../frame/use-may.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { useTable } from '../table/use-table.ts';
import { articleMessages as text } from './messages.ts';

const columns: Column<ArticleRow, ColumnOf<'articles'>>[] = [
  { id: 'title', name: text.columns.title, cell: TitleCell, sort: 'title' },
  { id: 'status', name: text.columns.status, cell: StatusCell },
  {
    id: 'categories',
    name: text.columns.categories,
    cell: (row) => row.categories.map(({ name }) => name).join(', ') || text.noValue,
  },
  { id: 'updated', name: text.columns.updated, cell: ({ updatedAt }) => <TimeCell at={updatedAt} />, sort: 'updated' },
];

/** The articles of a kind, sorted by position if the kind is ordered. */
export function ArticleList({ kind }: { kind: ArticleKind }) {
  const navigate = useNavigate();
  const mayManage = useMay('content.manage');
  const move = useMove();
  const restore = useRestorePost(kind);
  const sorts = isOrdered(kind) ? (['place', ...articleSorts.slice(0, -1)] as const) : articleSorts;
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
      label: text.view,
      icon: ExternalLink,
      onSelect: () => void window.open(pathOfArticle(kind, publicSlug), '_blank', 'noopener'),
    };
    const moves = [
      { label: text.up, icon: ArrowUp, onSelect: () => move.mutate({ id, direction: 'up' }) },
      { label: text.down, icon: ArrowDown, onSelect: () => move.mutate({ id, direction: 'down' }) },
    ];
    return [
      { label: text.edit, icon: PenLine, onSelect: () => edit(row) },
      ...(view ? [view] : []),
      ...(mayManage && isOrdered(kind) && table.sort === 'place' ? moves : []),
    ];
  };
  return (
    <DataTable
      caption={text.caption}
      search={text.search}
      table={{ ...table, filters: [] }}
      filters={status && <StatusChips filter={status} />}
      columns={shown}
      empty={text.empty}
      onOpen={edit}
      actions={(row) => (
        <ActionsMenu label={adminMessages.table.actions(row.title || blogMessages.untitled)} items={itemsOf(row)} />
      )}
    />
  );
}

/**
 * Returns the columns for a kind. Pages and legal texts have no categories. The categories of positions are
 * departments.
 */
const columnsOf = (kind: ArticleKind) =>
  columns
    .filter(({ id }) => id !== 'categories' || hasCategories(kind))
    .map((column) =>
      column.id === 'categories' && kind === 'position' ? { ...column, name: text.columns.departments } : column,
    );

const useMove = () =>
  useResourceMutation({
    call: async ({ id, direction }: { id: string; direction: 'up' | 'down' }) =>
      void (await adminApi.adminMoveArticle({ params: { id }, body: { direction } })),
    invalidates: postKeys,
    errorTitle: text.failure,
  });
