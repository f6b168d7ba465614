import { articleLimits } from '@uprez/contracts/policy/articles';
import { type Category, type CategoryInput, categoryBodySchema } from '@uprez/contracts/schemas/content/articles';
import { PenLine, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../ui/controls/button.tsx';
import { exactInput } from '../../../../ui/controls/text-field.tsx';
import { EmptyState, NoActivityArt } from '../../../../ui/feedback/empty-state.tsx';
import { Skeleton } from '../../../../ui/feedback/query-view.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { ConfirmCallDialog, FormCallDialog } from '../../../../ui/overlays/call-dialog.tsx';
import { ActionsMenu } from '../../../../ui/overlays/menu.tsx';
import { adminApi } from '../../admin-api.ts';
import { useHasPermission } from '../../frame/use-own-user.ts';
import { adminMessages } from '../../messages.ts';
import { TimeCell } from '../../payments/cells.tsx';
import { type PlainColumn, QueryTable } from '../../users/plain-table.tsx';
import { blogMessages, categoryMessages as text } from '../messages.ts';
import { type CategoryKind, postKeys, useCategories } from '../queries.ts';

const columns: PlainColumn<Category>[] = [
  { name: text.columns.name, cell: ({ name }) => <span className="font-medium">{name}</span> },
  { name: text.columns.slug, cell: ({ slug }) => <code className="text-xs">{slug}</code> },
  { name: text.columns.description, cell: ({ description }) => <span className="text-muted">{description}</span> },
  { name: text.columns.created, cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
];

export function NewCategoryButton({ kind, label }: { kind: CategoryKind; label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {label}
      </Button>
      {isOpen && <CategoryDialog kind={kind} onClose={() => setOpen(false)} />}
    </>
  );
}

type CategoryDialogProps = {
  kind: CategoryKind;
  /** Category to edit. Undefined for a new category. */
  category?: Category | undefined;
  onClose: () => void;
};

function CategoryDialog({ kind, category, onClose }: CategoryDialogProps) {
  const [name, title] = [text.names[kind], text.titles[kind]];
  return (
    <FormCallDialog
      text={category ? text.editDialog(name) : text.createDialog(name, title)}
      schema={categoryBodySchema}
      initial={{
        name: category?.name ?? '',
        slug: category?.slug ?? '',
        description: category?.description ?? '',
      }}
      fields={[
        { name: 'name', label: text.name, maxLength: articleLimits.categoryNameLength, autoComplete: 'off' },
        {
          ...{ name: 'slug', label: text.slug, optional: text.optional, hint: text.slugHint },
          ...{ maxLength: articleLimits.slugLength, ...exactInput },
        },
        {
          ...{ kind: 'area', name: 'description', label: text.description, optional: text.optional },
          ...{ hint: text.descriptionHint[kind], maxLength: articleLimits.categoryDescriptionLength },
        },
      ]}
      call={async (body: CategoryInput) =>
        category
          ? (await adminApi.adminUpdateCategory({ params: { id: category.id }, body })).data
          : (await adminApi.adminCreateCategory({ body: { ...body, kind } })).data
      }
      refreshes={postKeys}
      failure={blogMessages.failure}
      done={{ title: blogMessages.success, description: (category ? text.updated : text.created)(title) }}
      onClose={onClose}
    />
  );
}

type DeleteCategoryDialogProps = { kind: CategoryKind; category: Category; onClose: () => void };

const DeleteCategoryDialog = ({ kind, category: { id, name }, onClose }: DeleteCategoryDialogProps) => (
  <ConfirmCallDialog
    text={{
      title: text.deleteDialog.title(text.names[kind], name),
      text: text.deleteDialog.text[kind],
      confirm: text.deleteDialog.confirm(text.names[kind]),
    }}
    call={() => adminApi.adminDeleteCategory({ params: { id } })}
    refreshes={postKeys}
    failed={blogMessages.failure}
    done={{ title: blogMessages.success, description: text.deleted(text.titles[kind]) }}
    onClose={onClose}
  />
);

/** Lists all categories of a kind without pagination, because a kind has only a few. */
export function CategoryList({ kind }: { kind: CategoryKind }) {
  const query = useCategories(kind);
  const mayManage = useHasPermission('content.manage');
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
      <QueryTable
        query={query}
        skeleton={<Skeleton className="h-48" />}
        empty={<EmptyState {...text.empty[kind]} illustration={<NoActivityArt />} />}
        caption={text.captions[kind]}
        columns={mayManage ? [...columns, actionsColumn] : columns}
        rowKey={({ id }) => id}
      />
      {edited && <CategoryDialog kind={kind} category={edited} onClose={() => setEdited(undefined)} />}
      {deleted && <DeleteCategoryDialog kind={kind} category={deleted} onClose={() => setDeleted(undefined)} />}
    </Card>
  );
}
