import { limits } from '@uprez/contracts/policy/limits';
import type { WebhookView } from '@uprez/contracts/schemas/webhooks';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { FormFault } from '../../ui/controls/form-fault.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { webhookMessages } from './messages.ts';
import { useResendSince } from './use-change-webhook.ts';

const text = webhookMessages.again;
const dayMs = 86_400_000;

/** A time as such a field takes it: in the zone of the browser, without one. */
function fieldTime(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Sends all events since a time to an endpoint once more. */
export function ResendDialog({ webhook, onClose }: { webhook: WebhookView; onClose: () => void }) {
  const resend = useResendSince(webhook);
  const [now] = useState(Date.now);
  const [since, setSince] = useState(fieldTime(now - dayMs));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!resend.isPending) resend.mutate(new Date(since).toISOString(), { onSuccess: onClose });
  };
  return (
    <Dialog open onOpenChange={onClose} title={text.title} description={text.text}>
      <form onSubmit={submit} className="grid gap-5">
        <TextField
          label={text.since}
          hint={text.sinceHint}
          type="datetime-local"
          required
          min={fieldTime(now - limits.eventDays * dayMs)}
          max={fieldTime(now)}
          value={since}
          onChange={(event) => setSince(event.target.value)}
        />
        <FormFault error={resend.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="secondary" onClick={onClose}>
            {webhookMessages.form.cancel}
          </Button>
          <Button type="submit" pending={resend.isPending}>
            {text.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
