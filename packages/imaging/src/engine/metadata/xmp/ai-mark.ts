import type { SelectedXmp } from './select-xmp.ts';

/** Digital source type of images that a model enhanced (IPTC NewsCodes). */
export const aiSourceType = 'http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced';

/** The mark of results that a model made. */
export const aiMark: SelectedXmp = { 'Iptc4xmpExt:DigitalSourceType': { items: [{ text: aiSourceType }] } };
