import { makeRandom } from '@uprez/testing/random';
import type { Sharp } from 'sharp';
import { toSharp } from '../../support/image-files.ts';

/** Random samples, which take an encoder the most bytes, and a decoder the longest. */
export function makeNoise(side: number, channels: 3 | 4 = 3): Sharp {
  const random = makeRandom(1);
  const data = new Uint8Array(side * side * channels).map(() => random(256));
  return toSharp({ width: side, height: side, channels, data });
}
