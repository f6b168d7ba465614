import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isFinal } from '@uprez/contracts/policy/job-status';
import type { DeletionReceipt, Job } from '@uprez/contracts/schemas/job';
import { api } from '../../lib/api/api.ts';
import { errorSentence } from '../../lib/api/error-sentence.ts';
import { dashboardKey } from '../../lib/api/use-dashboard.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { activityMessages as text } from '../../messages/dashboard.ts';
import { activityKey } from './use-activity.ts';

const isReceipt = (answer: DeletionReceipt | Job): answer is DeletionReceipt => 'objects' in answer;

type DeletionEnd = { onReceipt: (receipt: DeletionReceipt) => void /** Without a receipt. */; onEnd: () => void };

/** Deletes a finished job's files, or cancels one that is not finished; the server knows which it is. */
export function useJobDeletion(job: Job, { onReceipt, onEnd }: DeletionEnd) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => (await api.deleteJob({ params: { id: job.id } })).data,
    onSuccess: (answer) => {
      if (isReceipt(answer)) return onReceipt(answer);
      showToast(text.cancelled);
      onEnd();
    },
    onError: (error) => {
      const title = isFinal(job.status) ? text.failed.delete : text.failed.cancel;
      showToast({ title, description: errorSentence(error), destructive: true });
      onEnd();
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: activityKey }),
        queryClient.invalidateQueries({ queryKey: dashboardKey }),
      ]),
  });
}
