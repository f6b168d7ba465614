/** Lower Cholesky factor of a symmetric positive definite n x n matrix, row by row. Throws when it is not. */
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

/** Inverse of a lower triangular n x n matrix. */
export function invertLower(lower: Float64Array, n: number): Float64Array {
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

/** X of X A = B, where `lower` is the Cholesky factor of the n x n matrix A and B has rows of length n. */
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

const at = (numbers: Float64Array, i: number) => numbers[i] as number;
