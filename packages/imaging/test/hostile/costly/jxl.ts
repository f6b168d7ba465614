/** A gray JPEG XL image of 1,024 x 1,024 pixels in one frame. */
const greySquare = Buffer.from(
  '/wr6HwFBcSEIAgEANAAAAIAACIAACIAACIAACIAACIAACIAACIAACABLKCTGRUHCDBQtGPAAAwADAAMAAwADAAMAAwADAAMAAwADAAMAAwADAAMAAwA=',
  'base64',
);
/** Where its frame begins, and the table of its sections, bytes; the flag of the last frame and the end of the header, bits. */
const [frameAt, sectionsAt, lastAt, headerEnd] = [8, 12, 80, 91];

/** Returns the image with as many frames that the last one covers (ISO/IEC 18181-1, annex F). */
export function makeJxlOfFrames(count: number): Buffer {
  const bits = [...greySquare].flatMap((byte) => Array.from({ length: 8 }, (_, i) => (byte >> i) & 1));
  // Not the last one, not kept for others, and without a permutation of its sections.
  const header = [...bits.slice(8 * frameAt, lastAt), 0, 0, 0, 0, ...bits.slice(lastAt + 1, headerEnd), 0];
  const packed = Buffer.alloc(Math.ceil(header.length / 8));
  for (const [i, bit] of header.entries()) packed.writeUInt8((packed[i >> 3] as number) | (bit << (i & 7)), i >> 3);
  const frame = Buffer.concat([packed, greySquare.subarray(sectionsAt)]);
  const rest = greySquare.subarray(frameAt);
  return Buffer.concat([greySquare.subarray(0, frameAt), Buffer.alloc(frame.length * count, frame), rest]);
}
