import { limits } from '@uprez/contracts/policy/limits';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../lib/forms/field-errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FormFault } from '../../ui/controls/form-fault.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { draftOf, keyChangeBody } from './key-draft.ts';
import { KeyLimitFields } from './key-limit-fields.tsx';
import { apiKeysMessages } from './messages.ts';
import { useChangeKey } from './use-change-key.ts';

const text = apiKeysMessages.edit;

type EditKeyDialogProps = { apiKey: ApiKeyView; tier: Tier; onClose: () => void };

/** Renames a key and changes what it is limited to; in force with its next call. */
export function EditKeyDialog({ apiKey, tier, onClose }: EditKeyDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(apiKey));
  const save = useChangeKey(apiKey);
  const change = (values: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...values }));
  const errors = fieldErrors(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate(keyChangeBody(draft, Date.now()), { onSuccess: onClose });
  };
  const isReplaced = apiKey.replacedBy !== null;
  return (
    <Dialog open onOpenChange={onClose} title={text.title(apiKey.name)}>
      <form onSubmit={submit} className="grid min-w-0 gap-5">
        <TextField
          label={apiKeysMessages.create.name}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
          maxLength={limits.nameLength}
          autoComplete="off"
          error={errors.name}
        />
        <KeyLimitFields
          draft={draft}
          onChange={change}
          errors={errors}
          tier={tier}
          expiresAt={apiKey.expiresAt}
          isReplaced={isReplaced}
        />
        <FormFault error={save.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="secondary" onClick={onClose}>
            {text.cancel}
          </Button>
          <Button type="submit" disabled={draft.name.trim() === ''} pending={save.isPending} pendingText={text.pending}>
            {text.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
