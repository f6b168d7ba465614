import { isFinal } from '@uprez/contracts/policy/job-status';
import type { DeletionReceipt, Job } from '@uprez/contracts/schemas/job';
import { api } from '../../lib/api/api.ts';
import { dashboardKey } from '../../lib/api/use-dashboard.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { activityMessages as text } from '../../messages/dashboard.ts';
import { activityKey } from './use-activity.ts';

const isReceipt = (result: DeletionReceipt | Job): result is DeletionReceipt => 'objects' in result;

type JobDeletionOptions = {
  /** Called with the receipt of a deletion. */
  onReceipt: (receipt: DeletionReceipt) => void;
  /** Called after a cancellation or an error. */
  onEnd: () => void;
};

/** Deletes the files of a finished job, or cancels an unfinished one. The server decides by the job's current status. */
export function useJobDeletion(job: Job, { onReceipt, onEnd }: JobDeletionOptions) {
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
