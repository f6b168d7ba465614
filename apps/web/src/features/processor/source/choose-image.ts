import { deleteImage, findImage, hasStoredImage, saveImage } from '../../../lib/images/image-store.ts';
import { dismissToasts } from '../../../lib/notifications/toast-store.ts';
import { onClear } from '../../../lib/session/account-data.ts';
import { endRun, useProcessor } from '../processor-store.ts';
import { deleteJobId, deleteRunKey, findJobId, saveJobId } from '../run/run-storage.ts';
import { readImage } from './image.ts';

const { getState, setState } = useProcessor;

function releaseImage() {
  const { image } = getState();
  if (image?.url) URL.revokeObjectURL(image.url);
  deleteJobId();
  deleteRunKey();
  endRun();
}

/** Take a file, or an image's web address, to work on, in place of the one before and its result. */
export async function chooseImage(source: File | string): Promise<void> {
  const image = await readImage(source);
  releaseImage();
  // What is said of the image before is not true of this one.
  dismissToasts();
  setState({ image, rejections: [] });
  await saveImage(source);
}

/** Put the image and its result away. */
export async function removeImage(): Promise<void> {
  releaseImage();
  setState({ image: undefined, rejections: [] });
  await deleteImage();
}

/** Bring back the image, and the job if there was one, after a reload or a trip to the sign-in page. */
export async function restoreImage(): Promise<void> {
  if (getState().image || !hasStoredImage()) return;
  const jobId = findJobId();
  const source = await findImage();
  if (!source) {
    deleteJobId();
    return setState({ restoring: false });
  }
  const image = await readImage(source);
  setState({ image, restoring: false, ...(jobId && { run: { phase: 'following', jobId } }) });
  if (jobId) saveJobId(jobId);
}

onClear(() => {
  const { run } = getState();
  if (run.phase === 'sending') run.abort.abort();
  releaseImage();
  setState({ image: undefined, rejections: [], restoring: false });
});
