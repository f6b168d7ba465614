import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DeletionReceipt, Job } from '@uprez/contracts/job';
import { isFinal } from '@uprez/contracts/job-status';
import { api } from '../../lib/api.ts';
import { errorSentence } from '../../lib/error-sentence.ts';
import { showToast } from '../../lib/toast-store.ts';
import { dashboardKey } from '../../lib/use-dashboard.ts';
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
