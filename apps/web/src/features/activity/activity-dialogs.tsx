import { isFinal } from '@uprez/contracts/policy/job-status';
import type { DeletionReceipt, Job } from '@uprez/contracts/schemas/job';
import { lazy, Suspense, useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { dashboardKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { isCancelCharged } from '../../lib/jobs/is-cancel-charged.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { ConfirmDialog, keepProcessing } from '../../ui/overlays/confirm-dialog.tsx';
import { DeletionReceiptDialog, JobReceiptDialog } from '../../ui/receipt/receipt-dialogs.tsx';
import { activityMessages as text } from './messages.ts';
import { activityKey } from './use-activity.ts';

const ComparisonDialog = lazy(async () => ({
  default: (await import('./comparison-dialog.tsx')).ComparisonDialog,
}));

/** Deletes the files of a finished job and shows the receipt, or cancels a job. The server decides by its status. */
function JobDeletion({ job, onDone }: { job: Job; onDone: () => void }) {
  const [receipt, setReceipt] = useState<DeletionReceipt>();
  const kind = isFinal(job.status) ? 'delete' : 'cancel';
  const question = text.confirm[kind === 'cancel' && isCancelCharged(job) ? 'chargedCancel' : kind];
  const deletion = useResourceMutation({
    call: async () => (await api.deleteJob({ params: { id: job.id } })).data,
    onSuccess: (result) => {
      if ('objects' in result) return setReceipt(result);
      showToast({ ...text.cancelled, ...(result.credits > 0 && { description: result.error?.message }) });
      onDone();
    },
    onError: onDone,
    invalidates: [activityKey, dashboardKey],
    errorTitle: text.failed[kind],
  });
  if (receipt) return <DeletionReceiptDialog receipt={receipt} filename={job.filename} onClose={onDone} />;
  return (
    <ConfirmDialog
      {...question}
      open
      onOpenChange={onDone}
      text={question.text(job.filename)}
      keep={kind === 'cancel' ? keepProcessing : undefined}
      pending={deletion.isPending}
      onConfirm={() => deletion.mutate()}
    />
  );
}

/** An open dialog. It keeps the job, because the list may change meanwhile. */
export type JobDialog = { what: 'receipt' | 'deletion' | 'comparison'; job: Job };

export function ActivityDialogs({ question: { what, job }, onDone }: { question: JobDialog; onDone: () => void }) {
  if (what === 'deletion') return <JobDeletion job={job} onDone={onDone} />;
  if (what === 'comparison')
    return (
      <Suspense>
        <ComparisonDialog job={job} onClose={onDone} />
      </Suspense>
    );
  return <JobReceiptDialog job={job} onClose={onDone} />;
}
