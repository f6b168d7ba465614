import { mimeTypes } from '@uprez/contracts/policy/image-formats';
import { localFormats } from '@uprez/contracts/policy/local-mode';
import { readSize } from '../../../lib/images/image-size.ts';
import { deleteImage, findImage, saveImage } from '../../../lib/images/image-store.ts';
import { onClear } from '../../../lib/session/account-data.ts';
import { cancelLocalRun } from '../run/run-locally.ts';
import { useLocal } from '../state/local-store.ts';

const { getState, setState } = useLocal;

/** The format of the file where browsers write it, else JPEG. */
const formatFor = ({ type }: File) => localFormats.find((format) => mimeTypes[format] === type) ?? 'jpeg';

async function showImage(source: File): Promise<void> {
  const url = URL.createObjectURL(source);
  const size = await readSize(url);
  const { settings, image } = getState();
  if (image) URL.revokeObjectURL(image.url);
  setState({
    ...{ image: { source, url, ...(size && { size }) }, restoring: false, rejections: [] },
    settings: { ...settings, format: formatFor(source) },
  });
}

/** Opens an image. It is kept in this browser, so that a reload or the way to the server keeps it. */
export async function chooseLocalImage(source: File): Promise<void> {
  cancelLocalRun();
  await showImage(source);
  await saveImage(source);
}

/** Opens the image that was chosen on the home page in this tab. */
export async function restoreLocalImage(): Promise<void> {
  if (getState().image) return;
  const source = await findImage();
  if (source) await showImage(source);
  else setState({ restoring: false });
}

function closeImage(): void {
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
