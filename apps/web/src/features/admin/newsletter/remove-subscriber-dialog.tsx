import type { Subscriber } from '@uprez/contracts/schemas/newsletter/subscribers';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { subscriberMessages as text } from './messages.ts';
import { subscribersKey } from './queries.ts';

type RemoveSubscriberDialogProps = { subscriber: Subscriber; onClose: () => void };

/** Asks before a subscriber is deleted. */
export function RemoveSubscriberDialog({ subscriber: { id, email }, onClose }: RemoveSubscriberDialogProps) {
  const remove = useResourceMutation({
    call: async () => void (await adminApi.adminDeleteSubscriber({ params: { id } })),
    invalidates: [subscribersKey],
    errorTitle: text.failed,
    onSuccess: () => {
      showToast({ title: text.removed });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={text.removeDialog.title}
      text={text.removeDialog.text(email)}
      confirm={text.removeDialog.confirm}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    />
  );
}
