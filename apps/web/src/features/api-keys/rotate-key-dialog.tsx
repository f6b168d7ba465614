import { limits } from '@uprez/contracts/policy/limits';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { type FormEvent, useState } from 'react';
import { hasCode } from '../../lib/api/has-code.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FormFault } from '../../ui/controls/form-fault.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { apiKeysMessages } from './messages.ts';
import { UnverifiedNotice } from './unverified-notice.tsx';
import type { KeyMaking } from './use-key-making.ts';

const text = apiKeysMessages.rotate;
const overlaps = [0, 1, limits.apiKeyOverlapHours, 3 * 24, limits.apiKeyMaxOverlapHours].map((hours) => ({
  value: String(hours),
  label: hours === 0 ? text.noOverlap : text.hours(hours),
}));

type RotateKeyDialogProps = { apiKey: ApiKeyView; rotate: KeyMaking['rotate']; onClose: () => void };

/** Makes a new key in the place of one, and says how long the one goes on. */
export function RotateKeyDialog({ apiKey, rotate, onClose }: RotateKeyDialogProps) {
  const [overlap, setOverlap] = useState(String(limits.apiKeyOverlapHours));
  // What is shown of the last try is of this key only.
  const error = rotate.variables?.former.id === apiKey.id ? rotate.error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!rotate.isPending) rotate.mutate({ former: apiKey, overlapHours: Number(overlap) }, { onSuccess: onClose });
  };
  return (
    <Dialog open onOpenChange={onClose} title={text.title(apiKey.name)} description={text.text}>
      <form onSubmit={submit} className="grid gap-5">
        <Select label={text.overlap} value={overlap} onChange={setOverlap} options={overlaps} />
        {hasCode(error, 'email_unverified') ? <UnverifiedNotice /> : <FormFault error={error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="secondary" onClick={onClose}>
            {text.cancel}
          </Button>
          <Button type="submit" pending={rotate.isPending} pendingText={text.pending}>
            {text.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
