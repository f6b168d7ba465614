import { cholesky, solveRows } from './linear-algebra.ts';
import { multiplyColumns, type Table } from './run-layer.ts';

/** Regularization, as a share of each input's moment, and of their mean. */
const [ownShare, meanShare] = [1e-4, 1e-3];

export type Solved = { weights: Float64Array; moments: Float64Array; means: Float64Array; targetMeans: Float64Array };

const at = (numbers: ArrayLike<number>, i: number) => numbers[i] as number;

/** Find weights that map the INT8 `inputs` (bias last) to the FP32 `targets`, by ridge regression around `given`. */
export async function solveWeights(inputs: Table, targets: Table, given: Float64Array): Promise<Solved> {
  const n = inputs.columns;
  const moments = await multiplyColumns(inputs, inputs);
  const missing = await multiplyColumns(targets, inputs);
  for (let r = 0; r < targets.columns; r++)
    for (let k = 0; k < n; k++) {
      const weight = at(given, r * n + k);
      if (weight !== 0)
        for (let j = 0; j < n; j++) missing[r * n + j] = at(missing, r * n + j) - weight * at(moments, k * n + j);
    }
  let mean = 0;
  for (let i = 0; i < n - 1; i++) mean += at(moments, i * n + i) / (n - 1);
  const ridge = moments.slice();
  for (let i = 0; i < n; i++) ridge[i * n + i] = at(moments, i * n + i) * (1 + ownShare) + mean * meanShare + 1e-3;
  const change = solveRows(cholesky(ridge, n), n, missing);
  const rows = inputs.data.length / n;
  return {
    weights: given.map((weight, i) => weight + at(change, i)),
    moments,
    means: Float64Array.from({ length: n }, (_, i) => at(moments, (n - 1) * n + i) / at(inputs.data, n - 1) / rows),
    targetMeans: meansOf(targets),
  };
}

function meansOf({ data, columns }: Table): Float64Array {
  const means = new Float64Array(columns);
  const rows = data.length / columns;
  data.forEach((value, i) => {
    means[i % columns] = at(means, i % columns) + value / rows;
  });
  return means;
}
