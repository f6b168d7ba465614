import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type Anomaly, acknowledgeBodySchema } from '@uprez/contracts/schemas/access-log';
import { describeAnomaly } from '@uprez/contracts/texts/anomalies';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { TextArea } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { accessMessages } from './messages.ts';

const text = accessMessages.dialog;

/** Asks for a note. If another administrator was faster, it says so and keeps the note. */
export function AcknowledgeDialog({ anomaly, onClose }: { anomaly: Anomaly; onClose: () => void }) {
  const acknowledge = useResourceMutation({
    call: async (body: { note: string }) =>
      (await adminApi.adminAcknowledgeAnomaly({ params: { id: anomaly.id }, body })).data,
    invalidates: [[adminRoutes.adminListAnomalies.path], [adminRoutes.adminAttention.path]],
  });
  const form = useApiForm({
    schema: acknowledgeBodySchema,
    defaultValues: { note: '' },
    send: async (body) => {
      await acknowledge.mutateAsync(body);
      showToast({ title: text.done });
      onClose();
    },
  });
  return (
    <FormDialog title={text.title} description={describeAnomaly(anomaly)} form={form} text={text} onClose={onClose}>
      <TextArea label={text.note} hint={text.noteHint} {...form.field('note')} required />
    </FormDialog>
  );
}
