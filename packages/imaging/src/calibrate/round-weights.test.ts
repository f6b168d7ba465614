import { quantizeWeight } from '@uprez/models/onnx/virtual-channels';
import { expect, it } from 'vitest';
import { chooseWeightScales, roundWeights } from './round-weights.ts';
import { makeRandom } from './tile.ts';

it('rounds correlated inputs with less than half the error of plain rounding', () => {
  const random = makeRandom(1);
  const [size, rows, samples] = [40, 4, 300];
  const inputs = Array.from({ length: samples }, () => {
    let last = 0;
    return Float64Array.from({ length: size }, () => {
      last = 0.9 * last + random() - 0.5;
      return last;
    });
  });
  const moments = new Float64Array(size ** 2);
  for (const input of inputs)
    moments.forEach((sum, i) => {
      moments[i] = sum + (input[Math.floor(i / size)] as number) * (input[i % size] as number);
    });
  const weights = Float64Array.from({ length: rows * size }, () => (random() - 0.5) * 20);
  const scales = chooseWeightScales({ weights, size, powers: moments.filter((_, i) => i % (size + 1) === 0) });
  const lossOf = (codes: ArrayLike<number>) => {
    let loss = 0;
    for (const input of inputs)
      for (let r = 0; r < rows; r++) {
        const error = input.reduce((sum, x, i) => {
          const at = r * size + i;
          return sum + x * ((codes[at] as number) * (scales[r] as number) - (weights[at] as number));
        }, 0);
        loss += error ** 2;
      }
    return loss;
  };
  const plain = Array.from(weights, (weight, i) => quantizeWeight(weight, scales[Math.floor(i / size)] as number));
  expect(lossOf(roundWeights({ weights, size, moments }, scales))).toBeLessThan(lossOf(plain) / 2);
});
