import { quantizeWeight } from '@uprez/models/onnx/virtual-channels';

/** Damping, as a share of the mean diagonal. It's added to the second moments to make them invertible. */
const damping = 0.003;
const clipShares = [1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6];

/** `weights`: rows of `size` weights. `moments`: `size` x `size` sums of products of the rows' inputs. */
type WeightRows = { weights: Float64Array; size: number; moments: Float64Array };
/** `powers`: mean squares or sums of squares of the rows' inputs. */
type ScaledRows = { weights: Float64Array; size: number; powers: ArrayLike<number> };

const at = (numbers: ArrayLike<number>, i: number) => numbers[i] as number;

/** Chooses the scale that gives the smallest squared output error for each row. */
export function chooseWeightScales({ weights, size, powers }: ScaledRows): number[] {
  return Array.from({ length: weights.length / size }, (_, r) => {
    const row = weights.subarray(r * size, (r + 1) * size);
    const largest = row.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-4);
    const errorOf = (scale: number) =>
      row.reduce((sum, w, i) => sum + at(powers, i) * (quantizeWeight(w, scale) * scale - w) ** 2, 0);
    const scales = clipShares.map((share) => Math.fround((largest * share) / 127));
    return scales.reduce((best, scale) => (errorOf(scale) < errorOf(best) ? scale : best));
  });
}

/**
 * Rounds weights by GPTQ (Frantar et al. 2022), starting with the inputs that have the largest second moments. Returns
 * 8-bit weights with one row per output.
 */
export function roundWeights({ weights, size, moments }: WeightRows, scales: number[]): Int8Array {
  // GPTQ uses the upper Cholesky factor of the inverse moments. With the inputs in reverse order, this is the inverse
  // of the moments' lower Cholesky factor.
  const order = Array.from({ length: size }, (_, i) => i).sort(
    (a, b) => at(moments, a * size + a) - at(moments, b * size + b),
  );
  const mean = order.reduce((sum, i) => sum + at(moments, i * size + i), 0) / size;
  const turned = new Float64Array(size * size);
  order.forEach((from, i) => {
    order.forEach((to, j) => {
      turned[i * size + j] = at(moments, from * size + to) + (i === j ? damping * mean + 1e-3 : 0);
    });
  });
  const factor = invertLower(cholesky(turned, size), size);
  const rounded = new Int8Array(weights.length);
  scales.forEach((scale, r) => {
    const row = weights.slice(r * size, (r + 1) * size);
    for (let i = size - 1; i >= 0; i--) {
      const column = at(order, i);
      const code = quantizeWeight(at(row, column), scale);
      rounded[r * size + column] = code;
      const lost = (at(row, column) - code * scale) / at(factor, i * size + i);
      for (let j = 0; j < i; j++) {
        const later = at(order, j);
        row[later] = at(row, later) - lost * at(factor, i * size + j);
      }
    }
  });
  return rounded;
}

/**
 * Returns the lower Cholesky factor of a symmetric n x n matrix, row by row. Throws Error if the matrix isn't positive
 * definite.
 */
export function cholesky(matrix: Float64Array, n: number): Float64Array {
  const lower = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = at(matrix, i * n + j);
      for (let k = 0; k < j; k++) rest -= at(lower, i * n + k) * at(lower, j * n + k);
      if (i !== j) lower[i * n + j] = rest / at(lower, j * n + j);
      else if (rest > 0) lower[i * n + i] = Math.sqrt(rest);
      else throw new Error(`the matrix is not positive definite at ${i}`);
    }
  }
  return lower;
}

function invertLower(lower: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const row = inverse.subarray(i * n, i * n + n);
    row[i] = 1;
    for (let k = 0; k < i; k++) {
      const factor = at(lower, i * n + k);
      for (let j = 0; j <= k; j++) row[j] = at(row, j) - factor * at(inverse, k * n + j);
    }
    const pivot = at(lower, i * n + i);
    for (let j = 0; j <= i; j++) row[j] = at(row, j) / pivot;
  }
  return inverse;
}

/** Solves X A = B for X, where `lower` is the Cholesky factor of the n x n matrix A and B has rows of length n. */
export function solveRows(lower: Float64Array, n: number, b: Float64Array): Float64Array {
  const solution = b.slice();
  for (let start = 0; start < b.length; start += n) {
    const row = solution.subarray(start, start + n);
    for (let i = 0; i < n; i++) {
      let rest = at(row, i);
      for (let k = 0; k < i; k++) rest -= at(lower, i * n + k) * at(row, k);
      row[i] = rest / at(lower, i * n + i);
    }
    for (let i = n - 1; i >= 0; i--) {
      const value = at(row, i) / at(lower, i * n + i);
      row[i] = value;
      for (let k = 0; k < i; k++) row[k] = at(row, k) - at(lower, i * n + k) * value;
    }
  }
  return solution;
}
