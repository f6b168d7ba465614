import { deltaE, type LinearRgb } from '../../src/color/color-difference.ts';
import { toLinear } from '../../src/color/encoding.ts';
import type { Image } from './images.ts';

/** Returns the mean light of a square. */
function meanLight({ width, channels, data }: Image, [left, top]: [number, number], side: number): LinearRgb {
  const white = data instanceof Uint16Array ? 65_535 : 255;
  const mean = (c: number) => {
    let sum = 0;
    for (let y = top; y < top + side; y++)
      for (let x = left; x < left + side; x++) sum += toLinear((data[(y * width + x) * channels + c] ?? 0) / white);
    return sum / side ** 2;
  };
  return channels === 1 ? [mean(0), mean(0), mean(0)] : [mean(0), mean(1), mean(2)];
}

/** Returns the largest CIEDE2000 between blocks of 16 x 16 source pixels and the pixels of the output at their place. */
export function worstBlock(source: Image, large: Image): number {
  const factor = large.width / source.width;
  let worst = 0;
  for (let y = 0; y + 16 <= source.height; y += 16)
    for (let x = 0; x + 16 <= source.width; x += 16)
      worst = Math.max(
        worst,
        deltaE(meanLight(source, [x, y], 16), meanLight(large, [x * factor, y * factor], 16 * factor)),
      );
  return worst;
}
