import { type AdminJobDetails, retryJobBodySchema } from '@uprez/contracts/schemas/admin-jobs';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { emptyAsUndefined, useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { jobMessages } from './job-messages.ts';
import { changedKeys } from './queries.ts';
import { ReasonField } from './reason-field.tsx';

const text = jobMessages.retry;
type Reason = { reason?: string | undefined };

/** Retries a failed job. If the original was deleted in the meantime, the dialog stays open and says so. */
export function RetryDialog({ job, onClose }: { job: AdminJobDetails; onClose: () => void }) {
  const retry = useResourceMutation({
    call: (body: Reason) => adminApi.adminRetryJob({ params: { id: job.id }, body }),
    invalidates: changedKeys,
  });
  const form = useApiForm<Reason>({
    schema: retryJobBodySchema,
    defaultValues: {},
    send: async (body) => {
      await retry.mutateAsync(body);
      showToast({ title: text.done });
      onClose();
    },
  });
  return (
    <FormDialog
      title={text.title(job.filename)}
      description={text.description}
      form={form}
      text={text}
      onClose={onClose}
    >
      <ReasonField {...form.field('reason', emptyAsUndefined)} />
    </FormDialog>
  );
}
