import { sniffFormat } from '../sniff/sniff-format.ts';
import { showGifCanvas } from './show-gif-canvas.ts';
import { showWebpCanvas } from './show-webp-canvas.ts';

/** Make the free canvas of an animation transparent for the decoder, as browsers show it. Returns other files as they are. */
export function showCanvas(file: Buffer): Buffer {
  const format = sniffFormat(file)?.readable;
  if (format === 'gif') return showGifCanvas(file);
  return format === 'webp' ? showWebpCanvas(file) : file;
}
