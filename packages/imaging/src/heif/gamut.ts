/** White of ICC profiles, XYZ. */
export const d50 = [0.9642, 1, 0.8249] as const;
/** Bradford cone responses (Lindbloom). */
const bradford = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];
type Vector = readonly number[];
type Matrix = readonly Vector[];
const times = (m: Matrix, v: Vector): number[] =>
  m.map((row) => row.reduce((sum, x, i) => sum + x * (v[i] as number), 0));
const columnsOf = (m: Matrix): number[][] => m.map((_, c) => m.map((row) => row[c] as number));

/** XYZ of red, green, and blue, adapted to D50, from the chromaticities x and y of red, green, blue, and white. */
export function toColumns(gamut: Vector): Matrix {
  const at = (i: number) => {
    const [x, y] = [gamut[2 * i] as number, gamut[2 * i + 1] as number];
    return [x / y, 1, (1 - x - y) / y];
  };
  const white = at(3);
  const plain = columnsOf([at(0), at(1), at(2)]);
  const shares = solve(plain, white);
  const [from, to] = [times(bradford, white), times(bradford, d50)];
  return [0, 1, 2].map((i) => {
    const light = plain.map((row) => (row[i] as number) * (shares[i] as number));
    const cones = times(bradford, light).map((cone, c) => (cone * (to[c] as number)) / (from[c] as number));
    return solve(bradford, cones);
  });
}

/** Solve three linear equations by Cramer's rule. */
function solve(m: Matrix, v: Vector): number[] {
  const whole = determinant(m);
  return [0, 1, 2].map(
    (c) => determinant(m.map((row, r) => row.map((x, i) => (i === c ? (v[r] as number) : x)))) / whole,
  );
}

function determinant(m: Matrix): number {
  const [[a, b, c], [d, e, f], [g, h, i]] = m as [number[], number[], number[]] as [
    [number, number, number],
    [number, number, number],
    [number, number, number],
  ];
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}
