/** Chromaticities x and y of red, green, blue, and white. */
export type Gamut = readonly number[];

/** White point of ICC profiles (XYZ). */
export const d50 = [0.9642, 1, 0.8249] as const;
const d65 = [0.3127, 0.329] as const;
const illuminantC = [0.31, 0.316] as const;
export const srgbGamut: Gamut = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, ...d65];
export const p3Gamut: Gamut = [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, ...d65];
const smpte170m: Gamut = [0.63, 0.34, 0.31, 0.595, 0.155, 0.07, ...d65];

/** Gamuts by ColourPrimaries (ITU-T H.273, table 2). */
export const gamuts: Readonly<Partial<Record<number, Gamut>>> = {
  1: srgbGamut,
  4: [0.67, 0.33, 0.21, 0.71, 0.14, 0.08, ...illuminantC],
  5: [0.64, 0.33, 0.29, 0.6, 0.15, 0.06, ...d65],
  6: smpte170m,
  7: smpte170m,
  8: [0.681, 0.319, 0.243, 0.692, 0.145, 0.049, ...illuminantC],
  9: [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, ...d65],
  10: [1, 0, 0, 1, 0, 0, 1 / 3, 1 / 3],
  11: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.314, 0.351],
  12: p3Gamut,
  22: [0.63, 0.34, 0.295, 0.605, 0.155, 0.077, ...d65],
};

/** Bradford cone response matrix (Lindbloom). */
const bradfordMatrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];
type Vector = readonly number[];
export type Matrix = readonly Vector[];
const multiplyVector = (m: Matrix, v: Vector): number[] =>
  m.map((row) => row.reduce((sum, x, i) => sum + x * (v[i] as number), 0));
const transpose = (m: Matrix): number[][] => m.map((_, i) => m.map((row) => row[i] as number));

/** Returns the XYZ values of red, green, and blue, adapted to D50. */
export function toXyzColumns(gamut: Gamut): Matrix {
  const at = (i: number) => {
    const [x, y] = [gamut[2 * i] as number, gamut[2 * i + 1] as number];
    return [x, y, 1 - x - y];
  };
  const white = at(3).map((part) => part / (gamut[7] as number));
  const plain = transpose([at(0), at(1), at(2)]);
  const shares = solve(plain, white);
  const [from, to] = [multiplyVector(bradfordMatrix, white), multiplyVector(bradfordMatrix, d50)];
  return [0, 1, 2].map((i) => {
    const light = plain.map((row) => (row[i] as number) * (shares[i] as number));
    const cones = multiplyVector(bradfordMatrix, light).map(
      (cone, part) => (cone * (to[part] as number)) / (from[part] as number),
    );
    return solve(bradfordMatrix, cones);
  });
}

/** Returns the matrix that converts linear RGB from one gamut to another. */
export function makeConversionMatrix(from: Gamut, to: Gamut): Matrix {
  const target = transpose(toXyzColumns(to));
  return transpose(toXyzColumns(from).map((column) => solve(target, column)));
}

/**
 * Most negative sRGB component that can be clipped without a visible difference. The SD and HD video gamuts (BT.601 and
 * BT.709) are within this limit.
 */
const minClippedComponent = -0.1;

export const isWide = (gamut: Gamut): boolean =>
  Math.min(...makeConversionMatrix(gamut, srgbGamut).flat()) < minClippedComponent;

/** Maximum difference between chromaticities that is due to rounding. */
const roundingTolerance = 0.002;

export const isSameGamut = (one: Gamut, other: Gamut): boolean =>
  one.every((value, i) => Math.abs(value - (other[i] as number)) <= roundingTolerance);

/** Minimum area of the triangle of primaries: about a fifth of the sRGB triangle. */
const minArea = 0.02;

/**
 * Whether chromaticities are plausible for a display, which means that they form a triangle around the white point.
 * Needed because a damaged file can contain any chromaticities.
 */
export function isGamut(gamut: Gamut): boolean {
  if (gamut.length !== 8 || !gamut.every((value) => Number.isFinite(value) && value >= -0.2 && value <= 1.2))
    return false;
  const [red, green, blue, white] = [0, 2, 4, 6].map((i) => [gamut[i], gamut[i + 1]] as [number, number]) as [
    [number, number],
    [number, number],
    [number, number],
    [number, number],
  ];
  const area = doubleArea(red, green, blue) / 2;
  const parts = [doubleArea(red, green, white), doubleArea(green, blue, white), doubleArea(blue, red, white)];
  return white[1] > 0.05 && Math.abs(area) >= minArea && parts.every((part) => part * area > 0);
}

const doubleArea = (a: [number, number], b: [number, number], p: [number, number]) =>
  (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);

/** Solves three linear equations by Cramer's rule. */
function solve(m: Matrix, v: Vector): number[] {
  const whole = determinant(m);
  return [0, 1, 2].map(
    (column) => determinant(m.map((row, r) => row.map((x, i) => (i === column ? (v[r] as number) : x)))) / whole,
  );
}

function determinant(m: Matrix): number {
  const [[a, b, third], [d, e, f], [g, h, i]] = m as [number[], number[], number[]] as [
    [number, number, number],
    [number, number, number],
    [number, number, number],
  ];
  return a * (e * i - f * h) - b * (d * i - f * g) + third * (d * h - e * g);
}
