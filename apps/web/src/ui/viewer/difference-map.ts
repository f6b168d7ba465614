import { deltaE, type Light } from '@uprez/imaging/color/color-difference';
import { toLinear } from '@uprez/imaging/color/srgb';

type Pixels = Uint8ClampedArray;
type Color = readonly [red: number, green: number, blue: number];

/** Differences (CIEDE2000) from here on get the last color. */
export const mapRange = 10;

/** Colors from no difference to `mapRange`, evenly spaced: "inferno" of Matplotlib (Smith, Van der Walt, CC0). */
export const mapColors: readonly Color[] = [
  [0, 0, 4],
  [66, 10, 104],
  [147, 38, 103],
  [221, 81, 58],
  [252, 165, 10],
  [252, 255, 164],
];

const rampSteps = 256;

/** The color of a share 0-1 of `mapRange`. */
function colorAt(share: number): Color {
  const position = share * (mapColors.length - 1);
  const index = Math.min(mapColors.length - 2, Math.floor(position));
  const [from, to] = [mapColors[index] as Color, mapColors[index + 1] as Color];
  const blend = (c: 0 | 1 | 2) => from[c] + (to[c] - from[c]) * (position - index);
  return [blend(0), blend(1), blend(2)];
}

const ramp = Array.from({ length: rampSteps }, (_, step) => colorAt(step / (rampSteps - 1)));
const light = Float32Array.from({ length: 256 }, (_, sample) => toLinear(sample / 255));

const lightAt = (pixels: Pixels, at: number): Light => [
  light[pixels[at] as number] as number,
  light[pixels[at + 1] as number] as number,
  light[pixels[at + 2] as number] as number,
];

function differenceAt(one: Pixels, other: Pixels, at: number): number {
  const isSame = one[at] === other[at] && one[at + 1] === other[at + 1] && one[at + 2] === other[at + 2];
  return isSame ? 0 : deltaE(lightAt(one, at), lightAt(other, at));
}

/** Replace the pixels (RGBA) of `after` by the colors of their differences (CIEDE2000) from `before`. */
export function paintDifferences(before: Pixels, after: Pixels): void {
  for (let at = 0; at < after.length; at += 4) {
    const difference = differenceAt(before, after, at);
    const color = ramp[Math.round(Math.min(1, difference / mapRange) * (rampSteps - 1))] as Color;
    for (let c = 0; c < 3; c++) after[at + c] = color[c] as number;
    after[at + 3] = 255;
  }
}
