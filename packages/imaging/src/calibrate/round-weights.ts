import { roundWeight } from '@uprez/models/onnx/virtual-channels';
import { cholesky, invertLower } from './linear-algebra.ts';

/** Share of the mean diagonal that is added to the second moments to make them invertible. */
const damping = 0.003;
const clippings = [1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6];

/** `weights`: rows of `size`; `moments`: sums of products of their inputs, `size` x `size`. */
type Rows = { weights: Float64Array; size: number; moments: Float64Array };
/** `powers`: mean squares of the rows' inputs, or sums of squares. */
type ScaledRows = { weights: Float64Array; size: number; powers: ArrayLike<number> };

const at = (numbers: ArrayLike<number>, i: number) => numbers[i] as number;

/** Choose a scale for each row with the least squared error of the output. */
export function chooseWeightScales({ weights, size, powers }: ScaledRows): number[] {
  return Array.from({ length: weights.length / size }, (_, r) => {
    const row = weights.subarray(r * size, (r + 1) * size);
    const largest = row.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-4);
    const errorOf = (scale: number) =>
      row.reduce((sum, w, i) => sum + at(powers, i) * (roundWeight(w, scale) * scale - w) ** 2, 0);
    const scales = clippings.map((share) => Math.fround((largest * share) / 127));
    return scales.reduce((best, scale) => (errorOf(scale) < errorOf(best) ? scale : best));
  });
}

/** Round weights by GPTQ (Frantar et al. 2022), in the order of falling second moments. Returns 8-bit weights, out x in. */
export function roundWeights({ weights, size, moments }: Rows, scales: number[]): Int8Array {
  // In reverse order, the lower factor of the inverse is the upper factor that GPTQ uses.
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
      const code = roundWeight(at(row, column), scale);
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
