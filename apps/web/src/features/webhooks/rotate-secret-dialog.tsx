import { limits } from '@uprez/contracts/policy/limits';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { FormFault } from '../../ui/controls/form-fault.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { webhookMessages } from './messages.ts';
import type { SecretMaking } from './use-webhook-secret.ts';

const text = webhookMessages.rotation;
const overlaps = [0, 1, limits.webhookOverlapHours, 3 * 24, limits.webhookMaxOverlapHours].map((hours) => ({
  value: String(hours),
  label: hours === 0 ? text.none : text.hours(hours),
}));

type RotateSecretDialogProps = { id: string; rotate: SecretMaking['rotate']; onClose: () => void };

/** Makes a new secret for an endpoint, and says how long the one before goes on. */
export function RotateSecretDialog({ id, rotate, onClose }: RotateSecretDialogProps) {
  const [overlap, setOverlap] = useState(String(limits.webhookOverlapHours));
  const error = rotate.variables?.id === id ? rotate.error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!rotate.isPending) rotate.mutate({ id, overlapHours: Number(overlap) }, { onSuccess: onClose });
  };
  return (
    <Dialog open onOpenChange={onClose} title={text.title} description={text.text}>
      <form onSubmit={submit} className="grid gap-5">
        <Select label={text.overlap} value={overlap} onChange={setOverlap} options={overlaps} />
        <FormFault error={error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="secondary" onClick={onClose}>
            {webhookMessages.form.cancel}
          </Button>
          <Button type="submit" pending={rotate.isPending}>
            {text.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
