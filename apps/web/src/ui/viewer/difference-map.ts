type Color = readonly [red: number, green: number, blue: number];

/** Differences (CIEDE2000) from this value on have the last color. */
export const mapRange = 10;

/** Colors for differences from 0 to `mapRange`, evenly spaced: "inferno" of Matplotlib (Smith, Van der Walt, CC0). */
export const mapColors: readonly Color[] = [
  [0, 0, 4],
  [66, 10, 104],
  [147, 38, 103],
  [221, 81, 58],
  [252, 165, 10],
  [252, 255, 164],
];

/** Returns the color of a difference (CIEDE2000). */
function colorOf(difference: number): Color {
  const position = Math.min(1, difference / mapRange) * (mapColors.length - 1);
  const index = Math.min(mapColors.length - 2, Math.floor(position));
  const [from, to] = [mapColors[index] as Color, mapColors[index + 1] as Color];
  const blend = (c: 0 | 1 | 2) => from[c] + (to[c] - from[c]) * (position - index);
  return [blend(0), blend(1), blend(2)];
}

/** Returns pixels (RGBA) with the colors of differences (CIEDE2000), one per area. */
export const paintDifferences = (differences: readonly number[]): Uint8ClampedArray<ArrayBuffer> =>
  Uint8ClampedArray.from(differences.flatMap((difference) => [...colorOf(difference), 255]));
