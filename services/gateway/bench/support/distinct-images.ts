import { makeImage } from '@uprez/testing/make-image';

const side = 256;

/** So many small JPEGs, no two the same file: what follows a JPEG's end marker is no part of the image. */
export async function makeDistinctImages(from: number, count: number): Promise<Buffer[]> {
  const drawn = await makeImage({ width: side, height: side, format: 'jpeg' });
  return Array.from({ length: count }, (_, index) => Buffer.concat([drawn, Buffer.from(String(from + index))]));
}
