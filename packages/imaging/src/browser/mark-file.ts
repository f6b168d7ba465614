import { applyEdits, embedInJpeg, embedInWebp } from '../engine/metadata/embed/embed-in-web-format.ts';
import { aiMark } from '../engine/metadata/xmp/ai-mark.ts';
import { writeXmp } from '../engine/metadata/xmp/write-xmp.ts';

/** The XMP packet that marks results of models. */
export const aiMarkXmp = new TextEncoder().encode(writeXmp(aiMark));

/** Returns a copy of an encoded file with the mark of results of models. */
export function markFile(file: Uint8Array, format: 'jpeg' | 'webp'): Uint8Array<ArrayBuffer> {
  const encoded = { head: file, sizeBytes: file.length };
  const blocks = { xmp: aiMarkXmp };
  return applyEdits(file, format === 'jpeg' ? [embedInJpeg(encoded, blocks)] : embedInWebp(encoded, blocks));
}
