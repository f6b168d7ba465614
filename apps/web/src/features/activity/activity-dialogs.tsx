import { isFinal } from '@uprez/contracts/policy/job-status';
import type { DeletionReceipt, Job } from '@uprez/contracts/schemas/job';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { dashboardKey } from '../../lib/api/use-dashboard.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { DeletionReceiptDialog } from '../../ui/receipt/deletion-receipt-dialog.tsx';
import { JobReceiptDialog } from '../../ui/receipt/job-receipt-dialog.tsx';
import { activityMessages as text } from './messages.ts';
import { activityKey } from './use-activity.ts';

const isReceipt = (result: DeletionReceipt | Job): result is DeletionReceipt => 'objects' in result;

type JobDeletionOptions = {
  /** Called with the receipt of a deletion. */
  onReceipt: (receipt: DeletionReceipt) => void;
  /** Called after a cancellation or an error. */
  onEnd: () => void;
};

/** Deletes the files of a finished job, or cancels an unfinished one. The server decides by the job's current status. */
function useJobDeletion(job: Job, { onReceipt, onEnd }: JobDeletionOptions) {
  return useResourceMutation({
    call: async () => (await api.deleteJob({ params: { id: job.id } })).data,
    onSuccess: (result) => {
      if (isReceipt(result)) return onReceipt(result);
      showToast(text.cancelled);
      onEnd();
    },
    onError: onEnd,
    invalidates: [activityKey, dashboardKey],
    errorTitle: isFinal(job.status) ? text.failed.delete : text.failed.cancel,
  });
}

/** Confirms and performs the deletion or cancellation of a job, then shows the receipt of a deletion. */
function JobDeletion({ job, onDone }: { job: Job; onDone: () => void }) {
  const [receipt, setReceipt] = useState<DeletionReceipt>();
  const deletion = useJobDeletion(job, { onReceipt: setReceipt, onEnd: onDone });
  if (receipt) return <DeletionReceiptDialog receipt={receipt} filename={job.filename} onClose={onDone} />;
  const { title, text: about, confirm } = isFinal(job.status) ? text.confirm.delete : text.confirm.cancel;
  return (
    <ConfirmDialog
      open
      onOpenChange={onDone}
      title={title}
      text={about(job.filename)}
      confirm={confirm}
      pending={deletion.isPending}
      onConfirm={() => deletion.mutate()}
    />
  );
}

/** An open dialog. It keeps the job, because the list may change meanwhile. */
export type JobDialog = { what: 'receipt' | 'deletion'; job: Job };

/** The open dialog of the list. */
export function ActivityDialogs({ question, onDone }: { question: JobDialog | undefined; onDone: () => void }) {
  if (!question) return null;
  if (question.what === 'deletion') return <JobDeletion job={question.job} onDone={onDone} />;
  return <JobReceiptDialog job={question.job} open onOpenChange={onDone} />;
}
