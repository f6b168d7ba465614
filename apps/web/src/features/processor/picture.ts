import type { Size } from '../../lib/format.ts';

/** The chosen file. `url` is an object URL; `size` is as a viewer shows it, absent where this browser cannot draw it. */
export type Picture = { file: File; url: string; size?: Size };

/** Let the browser read a file's size. Never fails: the server has the last word on what is a picture. */
export function readPicture(file: File): Promise<Picture> {
  const url = URL.createObjectURL(file);
  const image = new Image();
  return new Promise((resolve) => {
    image.onload = () => resolve({ file, url, size: { width: image.naturalWidth, height: image.naturalHeight } });
    image.onerror = () => resolve({ file, url });
    image.src = url;
  });
}
