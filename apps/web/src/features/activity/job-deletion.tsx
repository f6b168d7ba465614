import { isFinal } from '@uprez/contracts/policy/job-status';
import type { DeletionReceipt, Job } from '@uprez/contracts/schemas/job';
import { useState } from 'react';
import { activityMessages as text } from '../../messages/dashboard.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { DeletionReceiptDialog } from '../../ui/receipt/deletion-receipt-dialog.tsx';
import { useJobDeletion } from './use-job-deletion.ts';

/** Confirms and performs the deletion or cancellation of a job, then shows the receipt of a deletion. */
export function JobDeletion({ job, onDone }: { job: Job; onDone: () => void }) {
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
