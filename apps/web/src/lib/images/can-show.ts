import type { Size } from '../format/format.ts';

/** Pixels of an image that a tab can be expected to decode: 4 bytes each, 400 MB in all. */
const maxPixels = 100_000_000;

/** Whether an image may be shown in the page; larger ones are for download only. */
export const canShow = ({ width, height }: Size): boolean => width * height <= maxPixels;
