import type { WebhookView } from '@uprez/contracts/schemas/webhooks';
import { Ellipsis, KeyRound, Pencil, RotateCw, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { webhookMessages as text } from './messages.ts';
import { ResendDialog } from './resend-dialog.tsx';
import { RotateSecretDialog } from './rotate-secret-dialog.tsx';
import { useChangeWebhook, useDeleteWebhook, useTestWebhook } from './use-change-webhook.ts';
import type { SecretCreation } from './use-webhook-secret.ts';
import { webhookId } from './use-webhooks.ts';
import { WebhookDialog } from './webhook-dialog.tsx';

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
