import { roundWeight } from './virtual-channels.ts';

const [side, taps] = [3, 9];
/** Assumed correlation of neighboring samples of a channel. */
const likeness = 0.9;
const feedback = openFeedback();

/**
 * Round 3x3 kernels, in rows of `size` weights, tap by tap: the error of each tap is distributed to the later ones by their
 * correlation, which preserves smooth surfaces. Only basic operations on doubles, which are the same on every machine.
 */
export function roundKernels(weights: Float64Array, size: number, scales: ArrayLike<number>): Int8Array {
  const rounded = new Int8Array(weights.length);
  const kernel = new Float64Array(taps);
  for (let start = 0; start < weights.length; start += taps) {
    const scale = scales[Math.floor(start / size)] as number;
    kernel.set(weights.subarray(start, start + taps));
    for (let k = 0; k < taps; k++) {
      const code = roundWeight(kernel[k] as number, scale);
      rounded[start + k] = code;
      const lost = (kernel[k] as number) - code * scale;
      for (let later = k + 1; later < taps; later++)
        kernel[later] = (kernel[later] as number) + lost * (feedback[k * taps + later] as number);
    }
  }
  return rounded;
}

/** Share of a tap's error that each later tap takes over: the best linear prediction from the correlations. */
function openFeedback(): Float64Array {
  const shares = new Float64Array(taps * taps);
  for (let k = 0; k < taps; k++) {
    const [first = 1, ...rest] = solveFirst(correlationsFrom(k));
    rest.forEach((value, i) => {
      shares[k * taps + k + 1 + i] = -value / first;
    });
  }
  return shares;
}

/** `Math.pow` differs between machines. */
function power(exponent: number): number {
  let product = 1;
  for (let i = 0; i < exponent; i++) product *= likeness;
  return product;
}

function correlationsFrom(tap: number): number[][] {
  const left = Array.from({ length: taps - tap }, (_, i) => tap + i);
  const distance = (a: number, b: number) =>
    Math.abs(Math.floor(a / side) - Math.floor(b / side)) + Math.abs((a % side) - (b % side));
  return left.map((a) => left.map((b) => power(distance(a, b))));
}

/** The first column of a matrix's inverse, by elimination. */
function solveFirst(matrix: number[][]): number[] {
  const rows = matrix.map((row, i) => [...row, i === 0 ? 1 : 0]);
  rows.forEach((pivot, p) => {
    const head = pivot[p] as number;
    pivot.forEach((value, j) => {
      pivot[j] = value / head;
    });
    rows.forEach((row, i) => {
      const factor = row[p] as number;
      if (i !== p)
        row.forEach((value, j) => {
          row[j] = value - factor * (pivot[j] as number);
        });
    });
  });
  return rows.map((row) => row.at(-1) as number);
}
