import { limits } from '@uprez/contracts/policy/limits';
import { type WebhookView, webhookResendSchema } from '@uprez/contracts/schemas/webhooks';
import { KeyRound, Pencil, RotateCw, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { inputTime } from '../../lib/format/input-time.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { TextField } from '../../ui/controls/text-field.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { FormDialog, RotationDialog } from '../../ui/overlays/form-dialog.tsx';
import { ActionsMenu } from '../../ui/overlays/menu.tsx';
import { webhookMessages as text } from './messages.ts';
import {
  type SecretCreation,
  useChangeWebhook,
  useDeleteWebhook,
  useResendSince,
  useTestWebhook,
  webhookId,
} from './use-webhooks.ts';
import { WebhookDialog } from './webhook-dialog.tsx';

const resendText = text.again;
const dayMs = 86_400_000;

const bodyOf = ({ since }: { since: string }) => ({ since: new Date(since).toISOString() });
const schema = z
  .object({ since: z.string().min(1) })
  .transform(bodyOf)
  .pipe(webhookResendSchema);

function ResendDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const resend = useResendSince(id);
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
    <FormDialog title={resendText.title} description={resendText.text} form={form} text={resendText} onClose={onClose}>
      <TextField
        label={resendText.since}
        hint={resendText.sinceHint}
        {...form.field('since')}
        type="datetime-local"
        required
        min={inputTime(now - limits.eventDays * dayMs)}
        max={inputTime(now)}
      />
    </FormDialog>
  );
}

const overlap = { default: limits.webhookOverlapHours, max: limits.webhookMaxOverlapHours };

/** `rotate` is missing if the plan has no webhooks: endpoints can only be deleted then. */
export type WebhookActionsProps = { webhook: WebhookView; rotate?: SecretCreation['rotate'] | undefined };

/** The menu of an endpoint. For the endpoint of single jobs, only the secret can be rotated. */
export function WebhookActions({ webhook, rotate }: WebhookActionsProps) {
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'resend' | 'remove'>();
  const id = webhookId(webhook);
  const test = useTestWebhook(id);
  const change = useChangeWebhook(webhook);
  const remove = useDeleteWebhook(webhook);
  const close = () => setDialog(undefined);

  const rotation = { label: text.rotate, icon: KeyRound, onSelect: () => setDialog('rotate') };
  const deletion = { label: text.remove, icon: Trash2, danger: true, onSelect: () => setDialog('remove') };
  const isOwn = webhook.kind !== 'jobs';
  const changes = isOwn
    ? [
        { label: text.test, icon: Send, onSelect: () => test.mutate(), disabled: !webhook.isActive },
        { label: text.resend, icon: RotateCw, onSelect: () => setDialog('resend'), disabled: !webhook.isActive },
        { label: text.edit, icon: Pencil, onSelect: () => setDialog('edit') },
        rotation,
      ]
    : [rotation];
  const items = [...(rotate ? changes : []), ...(isOwn ? [deletion] : [])];
  if (items.length === 0) return null;
  return (
    <>
      <ActionsMenu label={text.actions(webhook.url ?? text.jobs)} items={items} />
      {dialog === 'edit' && <WebhookDialog webhook={webhook} save={change.mutateAsync} onClose={close} />}
      {dialog === 'rotate' && rotate && (
        <RotationDialog
          title={text.rotation.title}
          text={text.rotation}
          overlap={overlap}
          rotate={(overlapHours) => rotate.mutateAsync({ id, overlapHours })}
          onClose={close}
        />
      )}
      {dialog === 'resend' && <ResendDialog id={id} onClose={close} />}
      <ConfirmDialog
        open={dialog === 'remove'}
        onOpenChange={close}
        title={text.removal.title}
        text={text.removal.text(webhook.url ?? '')}
        confirm={text.removal.confirm}
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
      />
    </>
  );
}
