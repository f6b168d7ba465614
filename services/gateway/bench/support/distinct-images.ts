import { makeImage } from '@uprez/testing/make-image';

const side = 256;

/** Returns small JPEGs with unique bytes after their end marker, which decoders ignore. */
export async function makeDistinctImages(from: number, count: number): Promise<Buffer[]> {
  const drawn = await makeImage({ width: side, height: side, format: 'jpeg' });
  return Array.from({ length: count }, (_, index) => Buffer.concat([drawn, Buffer.from(String(from + index))]));
}
