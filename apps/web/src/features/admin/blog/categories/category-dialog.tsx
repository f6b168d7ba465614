import { articleLimits } from '@uprez/contracts/policy/articles';
import { type Category, type CategoryInput, categoryBodySchema } from '@uprez/contracts/schemas/content/categories';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useResourceMutation } from '../../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { TextArea, TextField } from '../../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../../admin-api.ts';
import { blogMessages, categoryMessages as text } from '../messages.ts';
import { postKeys } from '../posts/use-post-mutations.ts';
import type { CategoryKind } from '../queries.ts';

/** Asks for a category, and creates it. */
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
  /** The category to change; undefined for a new one. */ category?: Category | undefined;
  onClose: () => void;
};

function useCategoryForm({ kind, category, onClose }: CategoryDialogProps) {
  const save = useResourceMutation({
    call: async (body: CategoryInput) =>
      category
        ? (await adminApi.adminUpdateCategory({ params: { id: category.id }, body })).data
        : (await adminApi.adminCreateCategory({ body: { ...body, kind } })).data,
    invalidates: postKeys,
  });
  return useApiForm<CategoryInput>({
    schema: categoryBodySchema,
    defaultValues: {
      name: category?.name ?? '',
      slug: category?.slug ?? '',
      description: category?.description ?? '',
    },
    failure: blogMessages.failure,
    send: async (values) => {
      await save.mutateAsync(values);
      showToast({
        title: blogMessages.success,
        description: (category ? text.updated : text.created)(text.titles[kind]),
      });
      onClose();
    },
  });
}

/** Asks for the name, the slug, and the description of a category. */
export function CategoryDialog(props: CategoryDialogProps) {
  const form = useCategoryForm(props);
  const [name, title] = [text.names[props.kind], text.titles[props.kind]];
  const dialog = props.category ? text.editDialog(name) : text.createDialog(name, title);
  return (
    <FormDialog title={dialog.title} form={form} text={dialog} onClose={props.onClose}>
      <TextField
        label={text.name}
        {...form.field('name')}
        maxLength={articleLimits.categoryNameLength}
        autoComplete="off"
      />
      <TextField
        label={text.slug}
        optional={text.optional}
        hint={text.slugHint}
        {...form.field('slug')}
        maxLength={articleLimits.slugLength}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextArea
        label={text.description}
        optional={text.optional}
        hint={text.descriptionHint[props.kind]}
        {...form.field('description')}
        maxLength={articleLimits.categoryDescriptionLength}
      />
    </FormDialog>
  );
}
