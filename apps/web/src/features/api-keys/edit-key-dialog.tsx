import type { ApiKeyView } from '@uprez/contracts/api-keys';
import { limits } from '@uprez/contracts/limits';
import type { Tier } from '@uprez/contracts/plans';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../lib/field-errors.ts';
import { apiKeysMessages } from '../../messages/api-keys.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormFault } from '../../ui/form-fault.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { draftOf, keyChangeBody } from './key-draft.ts';
import { KeyLimitFields } from './key-limit-fields.tsx';
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
