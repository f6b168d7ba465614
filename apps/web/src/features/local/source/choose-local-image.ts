import { mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import { localFormats } from '@uprez/contracts/policy/images/local-mode';
import { readImageSize } from '../../../lib/images/image-size.ts';
import { deleteImage, findImage, saveImage } from '../../../lib/images/image-store.ts';
import { onClear } from '../../../lib/session/account-data.ts';
import { cancelLocalRun } from '../run/run-locally.ts';
import { useLocal } from '../state/local-store.ts';

const { getState, setState } = useLocal;

const formatFor = ({ type }: File) => localFormats.find((format) => mimeTypes[format] === type) ?? 'jpeg';

/** Incremented with every choice. Prevents a file that loads slowly from replacing an image that was chosen later. */
let latestChoiceId = 0;

/** Returns false if another image was chosen in the meantime. */
async function showImage(source: File, own: number): Promise<boolean> {
  const url = URL.createObjectURL(source);
  const size = await readImageSize(url);
  if (own !== latestChoiceId) {
    URL.revokeObjectURL(url);
    return false;
  }
  const { settings, image } = getState();
  if (image) URL.revokeObjectURL(image.url);
  setState({
    ...{ image: { source, url, ...(size && { size }) }, restoring: false, rejections: [] },
    settings: { ...settings, format: formatFor(source) },
  });
  return true;
}

/**
 * Opens an image and stores it in this browser. The stored image survives a reload and can be opened on the home page.
 */
export async function chooseLocalImage(source: File): Promise<void> {
  cancelLocalRun();
  latestChoiceId += 1;
  if (await showImage(source, latestChoiceId)) await saveImage(source);
}

/** Opens the image that is stored for this tab. The user may have chosen it on this page or on the home page. */
export async function restoreLocalImage(): Promise<void> {
  if (getState().image) return;
  const own = latestChoiceId;
  const source = await findImage();
  if (own !== latestChoiceId) return;
  if (source) await showImage(source, own);
  else setState({ restoring: false });
}

function closeImage(): void {
  latestChoiceId += 1;
  cancelLocalRun();
  const { image } = getState();
  if (image) URL.revokeObjectURL(image.url);
  setState({ image: undefined, restoring: false, rejections: [] });
}

export async function removeLocalImage(): Promise<void> {
  closeImage();
  await deleteImage();
}

onClear(closeImage);
