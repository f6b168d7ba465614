import { limits } from '@uprez/contracts/policy/limits';
import { type WebhookView, webhookResendSchema } from '@uprez/contracts/schemas/webhooks';
import { Ellipsis, KeyRound, Pencil, RotateCw, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { RotationDialog } from '../../ui/overlays/rotation-dialog.tsx';
import { webhookMessages as text, webhookMessages } from './messages.ts';
import type { SecretCreation } from './use-webhook-secret.ts';
import { useChangeWebhook, useDeleteWebhook, useResendSince, useTestWebhook, webhookId } from './use-webhooks.ts';
import { WebhookDialog } from './webhook-dialog.tsx';

const resendText = webhookMessages.again;
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

function ResendDialog({ webhook, onClose }: { webhook: WebhookView; onClose: () => void }) {
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

const rotationText = webhookMessages.rotation;
const overlap = { default: limits.webhookOverlapHours, max: limits.webhookMaxOverlapHours };

type RotateSecretDialogProps = { id: string; rotate: SecretCreation['rotate']; onClose: () => void };

function RotateSecretDialog({ id, rotate, onClose }: RotateSecretDialogProps) {
  return (
    <RotationDialog
      title={rotationText.title}
      text={rotationText}
      overlap={overlap}
      rotate={(overlapHours) => rotate.mutateAsync({ id, overlapHours })}
      onClose={onClose}
    />
  );
}

type WebhookProps = { webhook: WebhookView };

function Removal({ webhook, onClose }: WebhookProps & { onClose: () => void }) {
  const remove = useDeleteWebhook(webhook);
  const { title, text: consequence, confirm } = text.removal;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={title}
      text={consequence(webhook.url ?? '')}
      confirm={confirm}
      pending={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
    />
  );
}

function Change({ webhook, onClose }: WebhookProps & { onClose: () => void }) {
  const { mutateAsync } = useChangeWebhook(webhook);
  return <WebhookDialog webhook={webhook} save={mutateAsync} onClose={onClose} />;
}

/** The menu of an endpoint. For the endpoint of single jobs, only the secret can be rotated. */
export function WebhookActions({ webhook, rotate }: WebhookProps & { rotate: SecretCreation['rotate'] }) {
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'resend' | 'remove'>();
  const test = useTestWebhook(webhook);
  const close = () => setDialog(undefined);
  const label = text.actions(webhook.url ?? text.jobs);
  const rotation = { label: text.rotate, icon: KeyRound, onSelect: () => setDialog('rotate') };
  const items =
    webhook.kind === 'jobs'
      ? [rotation]
      : [
          { label: text.test, icon: Send, onSelect: () => test.mutate(), disabled: !webhook.isActive },
          { label: text.resend, icon: RotateCw, onSelect: () => setDialog('resend'), disabled: !webhook.isActive },
          { label: text.edit, icon: Pencil, onSelect: () => setDialog('edit') },
          rotation,
          { label: text.remove, icon: Trash2, danger: true, onSelect: () => setDialog('remove') },
        ];
  return (
    <>
      <Menu
        label={label}
        trigger={
          <Button look="ghost" size="icon" aria-label={label}>
            <Ellipsis aria-hidden="true" strokeWidth={1.75} className="size-4" />
          </Button>
        }
        items={items}
      />
      {dialog === 'edit' && <Change webhook={webhook} onClose={close} />}
      {dialog === 'rotate' && <RotateSecretDialog id={webhookId(webhook)} rotate={rotate} onClose={close} />}
      {dialog === 'resend' && <ResendDialog webhook={webhook} onClose={close} />}
      {dialog === 'remove' && <Removal webhook={webhook} onClose={close} />}
    </>
  );
}
