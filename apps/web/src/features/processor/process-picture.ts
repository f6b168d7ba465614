import { ApiError } from '@uprez/client/api-error';
import { api } from '../../lib/api.ts';
import { askToSignIn } from '../../lib/ask-to-sign-in.ts';
import { errorSentence } from '../../lib/error-sentence.ts';
import { queryClient } from '../../lib/query-client.ts';
import { showToast } from '../../lib/toast-store.ts';
import { messages } from '../../messages.ts';
import { jobKey } from './job-key.ts';
import { endRun, useProcessor } from './processor-store.ts';
import { rememberJob } from './running-job.ts';
import { type AskedFor, uploadPicture } from './upload-picture.ts';

const text = messages.processor;
const { getState, setState } = useProcessor;

/** End the run with a failure that is told at once and stays on the page. */
export function failRun(sentence: string): void {
  showToast({ title: text.failed, description: sentence, destructive: true });
  endRun({ failure: sentence });
}

function endUpload(error: unknown, { aborted }: AbortSignal) {
  if (aborted) return endRun({ note: text.cancelled });
  if (error instanceof ApiError && error.status === 401) {
    endRun();
    return askToSignIn();
  }
  return failRun(errorSentence(error));
}

/** Send the picture; afterwards its job is followed. */
export async function processPicture(settings: AskedFor): Promise<void> {
  const { picture, run } = getState();
  if (!picture || run.phase === 'sending') return;
  const abort = new AbortController();
  const onPercent = (percent: number) => setState({ run: { phase: 'sending', percent, abort } });
  setState({ failure: undefined, note: undefined });
  onPercent(0);
  try {
    const job = await uploadPicture({ file: picture.file, settings, signal: abort.signal, onPercent });
    queryClient.setQueryData(jobKey(job.id), job);
    rememberJob(job.id);
    setState({ run: { phase: 'following', jobId: job.id } });
  } catch (error) {
    endUpload(error, abort.signal);
  }
}

/** Stop the upload, or the job on the server. */
export async function cancelRun(): Promise<void> {
  const { run } = getState();
  if (run.phase === 'sending') return run.abort.abort();
  if (run.phase === 'idle') return;
  try {
    await api.deleteJob({ params: { id: run.jobId } });
  } catch (error) {
    showToast({ title: text.cancelFailed, description: errorSentence(error), destructive: true });
  }
  await queryClient.refetchQueries({ queryKey: jobKey(run.jobId) });
}
