import { limits } from '@uprez/contracts/policy/limits';
import { type WebhookView, webhookResendSchema } from '@uprez/contracts/schemas/webhooks';
import { useState } from 'react';
import * as z from 'zod';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { TextField } from '../../ui/controls/text-field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { webhookMessages } from './messages.ts';
import { useResendSince } from './use-change-webhook.ts';

const text = webhookMessages.again;
const dayMs = 86_400_000;

/** The value of a `datetime-local` input: local time without a zone. */
function inputTime(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const bodyOf = ({ since }: { since: string }) => ({ since: new Date(since).toISOString() });
const schema = z
  .object({ since: z.string().min(1) })
  .transform(bodyOf)
  .pipe(webhookResendSchema);

/** Sends all events since a time again. */
export function ResendDialog({ webhook, onClose }: { webhook: WebhookView; onClose: () => void }) {
  const resend = useResendSince(webhook);
  const [now] = useState(Date.now);
  const form = useApiForm({
    schema,
    defaultValues: { since: inputTime(now - dayMs) },
    send: async (values) => {
      await resend.mutateAsync(bodyOf(values));
      onClose();
    },
  });
  return (
    <FormDialog title={text.title} description={text.text} form={form} text={text} onClose={onClose}>
      <TextField
        label={text.since}
        hint={text.sinceHint}
        {...form.field('since')}
        type="datetime-local"
        required
        min={inputTime(now - limits.eventDays * dayMs)}
        max={inputTime(now)}
      />
    </FormDialog>
  );
}
