import type { Category } from '@uprez/contracts/schemas/content/categories';
import { PenLine, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useResourceMutation } from '../../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { EmptyState, NoActivityArt } from '../../../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../../../ui/feedback/query-view.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx';
import { ActionsMenu } from '../../../../ui/overlays/menu.tsx';
import { adminApi } from '../../admin-api.ts';
import { useMay } from '../../frame/use-may.ts';
import { adminMessages } from '../../messages.ts';
import { TimeCell } from '../../payments/cells.tsx';
import { type PlainColumn, PlainTable } from '../../users/plain-table.tsx';
import { blogMessages, categoryMessages as text } from '../messages.ts';
import { postKeys } from '../posts/use-post-mutations.ts';
import { type CategoryKind, useCategories } from '../queries.ts';
import { CategoryDialog } from './category-dialog.tsx';

const columns: PlainColumn<Category>[] = [
  { name: text.columns.name, cell: ({ name }) => <span className="font-medium">{name}</span> },
  { name: text.columns.slug, cell: ({ slug }) => <code className="text-xs">{slug}</code> },
  { name: text.columns.description, cell: ({ description }) => <span className="text-muted">{description}</span> },
  { name: text.columns.created, cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
];

type DeleteCategoryDialogProps = { kind: CategoryKind; category: Category; onClose: () => void };

function DeleteCategoryDialog({ kind, category: { id, name }, onClose }: DeleteCategoryDialogProps) {
  const remove = useResourceMutation({
    call: async () => void (await adminApi.adminDeleteCategory({ params: { id } })),
    invalidates: postKeys,
    errorTitle: blogMessages.failure,
    onSuccess: () => {
      showToast({ title: blogMessages.success, description: text.deleted(text.titles[kind]) });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={text.deleteDialog.title(text.names[kind], name)}
      text={text.deleteDialog.text[kind]}
      confirm={text.deleteDialog.confirm(text.names[kind])}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    />
  );
}

/** All categories of a kind. There are few, so they have no pages. */
export function CategoryList({ kind }: { kind: CategoryKind }) {
  const query = useCategories(kind);
  const mayManage = useMay('content.manage');
  const [edited, setEdited] = useState<Category>();
  const [deleted, setDeleted] = useState<Category>();
  const actionsColumn: PlainColumn<Category> = {
    name: text.actions,
    cell: (category) => (
      <ActionsMenu
        label={adminMessages.table.actions(category.name)}
        items={[
          { label: text.edit, icon: PenLine, onSelect: () => setEdited(category) },
          { label: text.delete, icon: Trash2, danger: true, onSelect: () => setDeleted(category) },
        ]}
      />
    ),
  };
  return (
    <Card>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-48" />}
        empty={<EmptyState {...text.empty[kind]} illustration={<NoActivityArt />} />}
      >
        {(categories) => (
          <PlainTable
            caption={text.captions[kind]}
            columns={mayManage ? [...columns, actionsColumn] : columns}
            rows={categories}
            rowKey={({ id }) => id}
          />
        )}
      </QueryView>
      {edited && <CategoryDialog kind={kind} category={edited} onClose={() => setEdited(undefined)} />}
      {deleted && <DeleteCategoryDialog kind={kind} category={deleted} onClose={() => setDeleted(undefined)} />}
    </Card>
  );
}
