import type { AdminIncident } from '@uprez/contracts/schemas/status';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { statusMessages } from './messages.ts';
import { statusKeys } from './queries.ts';

const text = statusMessages.cancelDialog;

/** Asks whether scheduled maintenance is canceled. */
export function CancelMaintenanceDialog({ incident, onClose }: { incident: AdminIncident; onClose: () => void }) {
  const params = { id: incident.id };
  const cancel = useResourceMutation({
    call: async () => {
      await adminApi.adminAddIncidentUpdate({ params, body: { state: 'canceled', text: text.update } });
    },
    invalidates: statusKeys,
    errorTitle: text.failed,
    onSuccess: () => {
      showToast({ title: text.done });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={text.title(incident.title)}
      text={text.text}
      confirm={text.confirm}
      keep={text.keep}
      pending={cancel.isPending}
      onConfirm={() => cancel.mutate()}
    />
  );
}
