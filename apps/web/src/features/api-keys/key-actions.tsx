import { limits } from '@uprez/contracts/policy/limits';
import type { Plan } from '@uprez/contracts/policy/plan-versions';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { TextField } from '../../ui/controls/text-field.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { FormDialog, RotationDialog } from '../../ui/overlays/form-dialog.tsx';
import { ActionsMenu } from '../../ui/overlays/menu.tsx';
import { draftOf, keyChangeBody, keyChangeSchema } from './key-draft.ts';
import { KeyLimitFields } from './key-limit-fields.tsx';
import { apiKeysMessages } from './messages.ts';
import { UnverifiedNotice } from './unverified-notice.tsx';
import { type KeyCreation, useChangeKey, useDeleteKey } from './use-api-keys.ts';

const { row: text, edit: editText, rotate: rotateText, remove: removeText } = apiKeysMessages;
const overlap = { default: limits.apiKeyOverlapHours, max: limits.apiKeyMaxOverlapHours };

function EditKeyDialog({ apiKey, ownPlan, onClose }: { apiKey: ApiKeyView; ownPlan: Plan; onClose: () => void }) {
  const save = useChangeKey(apiKey);
  const form = useApiForm({
    schema: keyChangeSchema,
    defaultValues: draftOf(apiKey),
    send: (draft) => save.mutateAsync(keyChangeBody(draft, Date.now()), { onSuccess: onClose }),
    failure: text.updateFailed,
    onInvalid: () => text.updateFailed,
  });
  return (
    <FormDialog
      title={editText.title(apiKey.name)}
      form={form}
      text={editText}
      missing={form.watch('name').trim() === '' ? editText.needsName : undefined}
      onClose={onClose}
    >
      <TextField
        label={apiKeysMessages.create.name}
        {...form.field('name')}
        maxLength={limits.nameLength}
        autoComplete="off"
      />
      <KeyLimitFields form={form} ownPlan={ownPlan} apiKey={apiKey} />
    </FormDialog>
  );
}

export type KeyActionsProps = { apiKey: ApiKeyView; ownPlan: Plan; rotate: KeyCreation['rotate'] | undefined };

export function KeyActions({ apiKey, ownPlan, rotate }: KeyActionsProps) {
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'remove'>();
  const remove = useDeleteKey(apiKey);
  const close = () => setDialog(undefined);
  const mayRotate = rotate !== undefined && apiKey.replacedBy === null;
  // All rows share the mutation; its error may be that of another key.
  const isOwnError = rotate?.variables?.former.id === apiKey.id;
  return (
    <>
      <ActionsMenu
        label={text.actions(apiKey.name)}
        items={[
          { label: text.edit, icon: Pencil, onSelect: () => setDialog('edit') },
          ...(mayRotate ? [{ label: text.rotate, icon: RefreshCw, onSelect: () => setDialog('rotate') }] : []),
          { label: text.remove, icon: Trash2, danger: true, onSelect: () => setDialog('remove') },
        ]}
      />
      {dialog === 'edit' && <EditKeyDialog apiKey={apiKey} ownPlan={ownPlan} onClose={close} />}
      {dialog === 'rotate' && rotate && (
        <RotationDialog
          title={rotateText.title(apiKey.name)}
          text={rotateText}
          overlap={overlap}
          rotate={(overlapHours) => rotate.mutateAsync({ former: apiKey, overlapHours })}
          onClose={close}
          notice={isOwnError && hasErrorCode(rotate.error, 'email_unverified') ? <UnverifiedNotice /> : undefined}
        />
      )}
      <ConfirmDialog
        open={dialog === 'remove'}
        onOpenChange={close}
        title={removeText.title(apiKey.name)}
        text={removeText.text(apiKey.keyPreview)}
        confirm={removeText.confirm}
        typed={apiKey.name}
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
      />
    </>
  );
}
