import { limits } from '@uprez/contracts/policy/limits';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { TextField } from '../../ui/controls/text-field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { draftOf, keyChangeBody, keyChangeSchema } from './key-draft.ts';
import { KeyLimitFields } from './key-limit-fields.tsx';
import { apiKeysMessages } from './messages.ts';
import { useChangeKey } from './use-change-key.ts';

const text = apiKeysMessages.edit;

type EditKeyDialogProps = { apiKey: ApiKeyView; tier: Tier; onClose: () => void };

/** Changes the name and the limits of a key. */
export function EditKeyDialog({ apiKey, tier, onClose }: EditKeyDialogProps) {
  const save = useChangeKey(apiKey);
  const form = useApiForm({
    schema: keyChangeSchema,
    defaultValues: draftOf(apiKey),
    send: (draft) => save.mutateAsync(keyChangeBody(draft, Date.now()), { onSuccess: onClose }),
    onInvalid: (_, description) =>
      void showToast({ title: apiKeysMessages.row.updateFailed, description, destructive: true }),
  });
  return (
    <FormDialog
      title={text.title(apiKey.name)}
      form={form}
      text={text}
      disabled={form.watch('name').trim() === ''}
      onClose={onClose}
    >
      <TextField
        label={apiKeysMessages.create.name}
        {...form.field('name')}
        maxLength={limits.nameLength}
        autoComplete="off"
      />
      <KeyLimitFields
        form={form}
        tier={tier}
        currentExpiry={apiKey.expiresAt}
        isReplaced={apiKey.replacedBy !== null}
      />
    </FormDialog>
  );
}
