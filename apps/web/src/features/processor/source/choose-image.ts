import { adoptImage, deleteImage, findImage, hasStoredImage, saveImage } from '../../../lib/images/image-store.ts';
import { prefersDevice } from '../../../lib/images/processing-place.ts';
import type { DropRejection } from '../../../lib/images/use-drop-area.ts';
import { dismissToasts } from '../../../lib/notifications/toast-store.ts';
import { onClear } from '../../../lib/session/account-data.ts';
import { paths } from '../../../site-map.ts';
import { readImage, type SourceImage } from '../state/image.ts';
import { forgetLeftJob, type LeftJob } from '../state/left-jobs.ts';
import { endRun, useProcessor } from '../state/processor-store.ts';
import { deleteJobId, deletePendingRun, deleteRunKey, findJobId, saveJobId } from '../state/run-storage.ts';

const { getState, setState } = useProcessor;

function releaseImage() {
  const { image } = getState();
  if (image) URL.revokeObjectURL(image.url);
  deleteJobId();
  deleteRunKey();
  deletePendingRun();
  endRun();
}

/** A file that is slow to read must not replace a file chosen after it. */
let latestChoiceId = 0;

async function readIfLatest(source: File, own: number): Promise<SourceImage | undefined> {
  const image = await readImage(source);
  if (own === latestChoiceId) return image;
  URL.revokeObjectURL(image.url);
  return undefined;
}

/** Opens an image. `rejections`: files that were chosen together with the image, but rejected. */
export async function chooseImage(source: File, rejections: readonly DropRejection[] = []): Promise<void> {
  latestChoiceId += 1;
  const image = await readIfLatest(source, latestChoiceId);
  if (!image) return;
  setState({ restoring: false });
  releaseImage();
  // Open toasts are about the previous image.
  dismissToasts();
  setState({ image, rejections });
  await saveImage(source);
  // Runs after `saveImage`, because the page for local processing reads the image from the store.
  if (prefersDevice() && image.size && !image.hiddenFormat && (await findImage())) window.location.assign(paths.local);
}

export async function removeImage(): Promise<void> {
  latestChoiceId += 1;
  releaseImage();
  dismissToasts();
  setState({ image: undefined, rejections: [] });
  await deleteImage();
}

export async function restoreImage(): Promise<void> {
  if (getState().image || !hasStoredImage()) return;
  const [own, jobId] = [latestChoiceId, findJobId()];
  const source = await findImage();
  if (own !== latestChoiceId) return;
  if (!source) {
    deleteJobId();
    deletePendingRun();
    return setState({ restoring: false });
  }
  const image = await readIfLatest(source, own);
  if (!image) return;
  setState({ image, restoring: false, ...(jobId && { run: { phase: 'following', jobId, isRestored: true } }) });
  if (jobId) saveJobId(jobId);
}

/** Restores a job whose tab was closed, together with its image. Returns false if the image is no longer stored. */
export async function openLeftJob({ jobId, imageKey }: LeftJob): Promise<boolean> {
  if (!(await adoptImage(imageKey))) {
    forgetLeftJob(jobId);
    return false;
  }
  saveJobId(jobId);
  await restoreImage();
  return true;
}

onClear(() => {
  const { run } = getState();
  if (run.phase === 'sending') run.abort.abort();
  releaseImage();
  setState({ image: undefined, rejections: [], restoring: false });
});
