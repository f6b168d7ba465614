import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { type AdminJobDetails, retryJobBodySchema } from '@uprez/contracts/schemas/admin-jobs';
import { useState } from 'react';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { emptyAsUndefined, useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { adminMessages } from '../messages.ts';
import { jobMessages } from './job-messages.ts';
import { changedKeys, useJob } from './queries.ts';
import { ReasonField } from './reason-field.tsx';

export type JobChange = 'requeue' | 'cancel';
type Seen = { status: 'queued' | 'processing'; attempt: number };
type Reason = { reason?: string | undefined };

/** The state that a change names; undefined for a finished job. */
const seenState = ({ status, attempt }: AdminJobDetails): Seen | undefined =>
  status === 'queued' || status === 'processing' ? { status, attempt } : undefined;

type ChangeDialogProps = { job: AdminJobDetails; change: JobChange; onClose: () => void };

/** Changes the state that is shown. If the job has moved on, the dialog keeps the reason and offers to reload the state. */
export function ChangeDialog({ job, change: kind, onClose }: ChangeDialogProps) {
  const text = jobMessages[kind];
  const { id, filename } = job;
  const query = useJob(id);
  const [seen, setSeen] = useState(seenState(job));
  const [isChanged, setChanged] = useState(false);
  const change = useResourceMutation({
    call: (body: Seen & Reason) => {
      const request = { params: { id }, body };
      return kind === 'requeue' ? adminApi.adminRequeueJob(request) : adminApi.adminCancelJob(request);
    },
    invalidates: changedKeys,
  });
  const form = useApiForm<Reason>({
    schema: retryJobBodySchema,
    defaultValues: {},
    send: async (body) => {
      if (!seen) return;
      try {
        await change.mutateAsync({ ...seen, ...body });
      } catch (error) {
        if (!hasErrorCode(error, 'job_changed')) throw error;
        setChanged(true);
        return;
      }
      showToast({ title: text.done });
      onClose();
    },
  });
  const reload = async () => {
    const { data } = await query.refetch();
    if (!data) return;
    setSeen(seenState(data));
    setChanged(false);
  };
  const notice = isChanged && (
    <Notice kind="danger">
      <div className="flex flex-wrap items-center justify-between gap-3">
        {errorCodes.job_changed.title}
        <Button look="secondary" size="small" pending={query.isFetching} onClick={() => void reload()}>
          {jobMessages.reload}
        </Button>
      </div>
    </Notice>
  );
  const state = seen && jobMessages.seen(adminMessages.table.statuses[seen.status], seen.attempt);
  return (
    <FormDialog
      title={text.title(filename)}
      description={[text.description, state].filter(Boolean).join(' ')}
      form={form}
      text={text}
      look={kind === 'cancel' ? 'danger' : 'primary'}
      missing={seen ? undefined : jobMessages.finished}
      notice={notice || undefined}
      {...(kind === 'cancel' && { keep: jobMessages.cancel.keep })}
      onClose={onClose}
    >
      <ReasonField {...form.field('reason', emptyAsUndefined)} />
    </FormDialog>
  );
}
