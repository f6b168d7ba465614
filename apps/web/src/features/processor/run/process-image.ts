import { ApiError } from '@uprez/client/api-error';
import { api } from '../../../lib/api/api.ts';
import { describeError } from '../../../lib/api/api-errors.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { isFileError } from '../../../lib/images/is-file-error.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { redirectAfterSessionEnd } from '../../../lib/session/redirect-to-sign-in.ts';
import { processorMessages as text } from '../messages.ts';
import { endRun, useProcessor } from '../state/processor-store.ts';
import { deleteJobId, jobKey, saveJobId, savePendingRun } from '../state/run-storage.ts';
import { recipeOf, type Settings } from '../state/settings-store.ts';
import { uploadImage } from './upload-image.ts';

const { getState, setState } = useProcessor;

/** Ends the run with an error. The page shows the error until another run starts. */
export function failRun(failure: string, code?: string): void {
  showToast({ title: text.failed, destructive: true });
  // Retrying `file_too_large` may succeed, because another plan may allow a larger file.
  endRun({ failure, isRefused: isFileError(code) && code !== 'file_too_large' });
}

function endUpload(error: unknown, { aborted }: AbortSignal) {
  if (aborted) return endRun({ note: text.cancelled });
  if (!(error instanceof ApiError)) return failRun(describeError(error));
  if (error.status === 401) {
    endRun();
    savePendingRun();
    return void redirectAfterSessionEnd();
  }
  return failRun(error.sentence, error.code);
}

export async function processImage(settings: Settings): Promise<void> {
  const { image, run } = getState();
  const recipe = image && recipeOf(settings, image);
  if (!recipe || run.phase === 'sending' || run.phase === 'following') return;
  const abort = new AbortController();
  const { signal } = abort;
  const show = (percent: number, isRetrying = false) =>
    setState({ run: { phase: 'sending', percent, isRetrying, abort } });
  deleteJobId();
  endRun();
  show(0);
  try {
    const { source } = image;
    const job = await uploadImage({ source, recipe, signal, onPercent: show, onRetry: () => show(0, true) });
    queryClient.setQueryData(jobKey(job.id), job);
    saveJobId(job.id);
    setState({ run: { phase: 'following', jobId: job.id } });
  } catch (error) {
    endUpload(error, signal);
  }
}

export async function cancelRun(): Promise<void> {
  const { run } = getState();
  if (run.phase === 'sending') return run.abort.abort();
  if (run.phase !== 'following') return;
  try {
    await api.deleteJob({ params: { id: run.jobId } });
  } catch (error) {
    showToast({ title: text.cancelFailed, description: describeError(error), destructive: true });
  }
  await queryClient.refetchQueries({ queryKey: jobKey(run.jobId) });
}
