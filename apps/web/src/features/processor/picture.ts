import type { Size } from '../../lib/format.ts';

/** What is to be worked on: a file, or the web address of one that the server fetches. */
export type Picture = {
  source: File | string;
  /** Object URL of a file. */
  url?: string;
  /** As a viewer shows it; absent where this browser cannot draw it. */
  size?: Size;
};

/** What a picture is called: its file's name, or its address. */
export const pictureName = ({ source }: Picture) => (typeof source === 'string' ? source : source.name);

/** Let the browser read a file's size. Never fails: the server has the last word on what is a picture. */
export function readPicture(source: File | string): Promise<Picture> {
  if (typeof source === 'string') return Promise.resolve({ source });
  const url = URL.createObjectURL(source);
  const image = new Image();
  return new Promise((resolve) => {
    image.onload = () => resolve({ source, url, size: { width: image.naturalWidth, height: image.naturalHeight } });
    image.onerror = () => resolve({ source, url });
    image.src = url;
  });
}
