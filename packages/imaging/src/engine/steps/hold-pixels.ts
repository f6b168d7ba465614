import type { ImagePlan } from '@uprez/contracts/image-plan';
import { heldRows, type RowSize } from '../rows/row-file.ts';
import type { Samples } from '../rows/row-stream.ts';
import { encodeTiffDirectories, headerBytes, tiffHeader } from '../rows/tiff-directory.ts';
import type { Pixels } from './open-pixels.ts';

/** Raw pixels up to this size are held in memory: beside the encoder they fit into what every plan reserves. */
const maxHeldBytes = 24 * 1024 * 1024;

/** Whether what is decoded straight to its size never touches the disk. sharp hands out no raw grey with alpha. */
export function isHeld({ shrinks, source, output }: ImagePlan): boolean {
  const bytes = (output.width * output.height * source.channels * output.bitDepth) / 8;
  return shrinks && output.frames === 1 && source.channels !== 2 && bytes <= maxHeldBytes;
}

/** Samples in memory as finished pixels. */
export function holdPixels(samples: Samples, size: RowSize, icc: Buffer | undefined): Pixels {
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const { header, directoryAt, isBig } = tiffHeader(headerBytes + bytes.length);
  const directories = encodeTiffDirectories({ ...size, pixelOffset: headerBytes, directoryAt, isBig }, { icc });
  const padding = Buffer.alloc(directoryAt - headerBytes - bytes.length);
  return { input: Buffer.concat([header, bytes, padding, directories]), rows: heldRows(samples, size), icc };
}
