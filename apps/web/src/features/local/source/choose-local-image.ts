import { mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import { localFormats } from '@uprez/contracts/policy/images/local-mode';
import { readSize } from '../../../lib/images/image-size.ts';
import { deleteImage, findImage, saveImage } from '../../../lib/images/image-store.ts';
import { onClear } from '../../../lib/session/account-data.ts';
import { cancelLocalRun } from '../run/run-locally.ts';
import { useLocal } from '../state/local-store.ts';

const { getState, setState } = useLocal;

/** The format of the file where browsers write it, else JPEG. */
const formatFor = ({ type }: File) => localFormats.find((format) => mimeTypes[format] === type) ?? 'jpeg';

/** Changes with every choice, because a file that takes long to read must not replace one that was chosen later. */
let choice = 0;

/** False: another image was chosen in the meantime. */
async function showImage(source: File, own: number): Promise<boolean> {
  const url = URL.createObjectURL(source);
  const size = await readSize(url);
  if (own !== choice) {
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

/** Opens an image. It is kept in this browser, so that a reload or the way to the server keeps it. */
export async function chooseLocalImage(source: File): Promise<void> {
  cancelLocalRun();
  choice += 1;
  if (await showImage(source, choice)) await saveImage(source);
}

/** Opens the image that was chosen on the home page in this tab. */
export async function restoreLocalImage(): Promise<void> {
  if (getState().image) return;
  const own = choice;
  const source = await findImage();
  if (own !== choice) return;
  if (source) await showImage(source, own);
  else setState({ restoring: false });
}

function closeImage(): void {
  choice += 1;
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
