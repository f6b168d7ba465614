import { discardPicture, findPicture, hasPicture, keepPicture } from '../../../lib/images/image-drawer.ts';
import { dismissToasts } from '../../../lib/notifications/toast-store.ts';
import { onForget } from '../../../lib/session/forget.ts';
import { endRun, useProcessor } from '../processor-store.ts';
import { findJob, forgetJob, rememberJob } from '../run/running-job.ts';
import { readPicture } from './image.ts';

const { getState, setState } = useProcessor;

function releasePicture() {
  const { picture } = getState();
  if (picture?.url) URL.revokeObjectURL(picture.url);
  forgetJob();
  endRun();
}

/** Take a file, or a picture's web address, to work on, in place of the one before and its result. */
export async function choosePicture(source: File | string): Promise<void> {
  const picture = await readPicture(source);
  releasePicture();
  // What is said of the picture before is not true of this one.
  dismissToasts();
  setState({ picture, rejections: [] });
  await keepPicture(source);
}

/** Put the picture and its result away. */
export async function removePicture(): Promise<void> {
  releasePicture();
  setState({ picture: undefined, rejections: [] });
  await discardPicture();
}

/** Bring back the picture, and the job if there was one, after a reload or a trip to the sign-in page. */
export async function restorePicture(): Promise<void> {
  if (getState().picture || !hasPicture()) return;
  const jobId = findJob();
  const source = await findPicture();
  if (!source) {
    forgetJob();
    return setState({ restoring: false });
  }
  const picture = await readPicture(source);
  setState({ picture, restoring: false, ...(jobId && { run: { phase: 'following', jobId } }) });
  if (jobId) rememberJob(jobId);
}

onForget(() => {
  const { run } = getState();
  if (run.phase === 'sending') run.abort.abort();
  releasePicture();
  setState({ picture: undefined, rejections: [], restoring: false });
});
