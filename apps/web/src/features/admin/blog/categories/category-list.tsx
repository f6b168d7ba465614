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
import { useCategories } from '../queries.ts';
import { CategoryDialog } from './category-dialog.tsx';

const columns: PlainColumn<Category>[] = [
  { name: text.columns.name, cell: ({ name }) => <span className="font-medium">{name}</span> },
  { name: text.columns.slug, cell: ({ slug }) => <code className="text-xs">{slug}</code> },
  { name: text.columns.description, cell: ({ description }) => <span className="text-muted">{description}</span> },
  { name: text.columns.created, cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
];

function DeleteCategoryDialog({ category: { id, name }, onClose }: { category: Category; onClose: () => void }) {
  const remove = useResourceMutation({
    call: async () => void (await adminApi.adminDeleteCategory({ params: { id } })),
    invalidates: postKeys,
    errorTitle: blogMessages.failure,
    onSuccess: () => {
      showToast({ title: blogMessages.success, description: text.deleted });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={text.deleteDialog.title(name)}
      text={text.deleteDialog.text}
      confirm={text.deleteDialog.confirm}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    />
  );
}

/** All categories of the blog. There are few, so they have no pages. */
export function CategoryList() {
  const query = useCategories();
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
        empty={<EmptyState {...text.empty} illustration={<NoActivityArt />} />}
      >
        {(categories) => (
          <PlainTable
            caption={text.caption}
            columns={mayManage ? [...columns, actionsColumn] : columns}
            rows={categories}
            rowKey={({ id }) => id}
          />
        )}
      </QueryView>
      {edited && <CategoryDialog category={edited} onClose={() => setEdited(undefined)} />}
      {deleted && <DeleteCategoryDialog category={deleted} onClose={() => setDeleted(undefined)} />}
    </Card>
  );
}
