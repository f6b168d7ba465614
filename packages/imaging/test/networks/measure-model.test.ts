import { checkModel } from '@uprez/models/custom/check-model';
import { ModelError } from '@uprez/models/custom/custom-model';
import { attributes, encodeModel, imagePorts, node, tensor } from '@uprez/models/onnx/onnx-graph';
import { makeCompact, makeRrdb, makeSpan } from '@uprez/testing/models/architectures';
import { makeRandom } from '@uprez/testing/random';
import { describe, expect, it } from 'vitest';
import { measureModel } from '../../src/model-check/measure-model.ts';

const threads = 1;

/** Builds a model of one node whose first input is the image. */
function makeOneNode(type: string, options: Parameters<typeof attributes>[0], values: Float32Array[] = []) {
  const weights = values.map((data, i) => tensor(`w${i}`, data.length === 1 ? [] : [data.length], data));
  const inputs = ['data', ...weights.map(({ name }) => name as string)];
  const nodes = [{ ...node(type, 'output', inputs), attribute: attributes(options) }];
  return encodeModel([{ nodes, tensors: weights }], imagePorts, false);
}

/** Builds a model whose brightness depends on the mean of its whole input. */
function makeGlobalModel() {
  const nodes = [
    { ...node('ReduceMean', 'mean', ['data']), attribute: attributes({ axes: [2, 3] }) },
    node('Mul', 'part', ['mean', 'share']),
    node('Sub', 'change', ['part', 'middle']),
    node('Add', 'output', ['data', 'change']),
  ];
  return encodeModel(
    [{ nodes, tensors: [tensor('share', [], Float32Array.of(0.3)), tensor('middle', [], Float32Array.of(0.15))] }],
    imagePorts,
    false,
  );
}

describe('measureModel', () => {
  it.each([
    [
      'SRVGGNetCompact x1',
      makeCompact(makeRandom(1), { scale: 1, features: 8, blocks: 3 }),
      { scale: 1, maxRadius: 5 },
    ],
    [
      'SRVGGNetCompact x4',
      makeCompact(makeRandom(1), { scale: 4, features: 8, blocks: 3 }),
      { scale: 4, maxRadius: 5 },
    ],
    ['SPAN x2', makeSpan(makeRandom(2), { scale: 2, features: 8, blocks: 2 }), { scale: 2, maxRadius: 9 }],
    ['SPAN x3', makeSpan(makeRandom(2), { scale: 3, features: 8, blocks: 2 }), { scale: 3, maxRadius: 9 }],
    ['RRDBNet x4', makeRrdb(makeRandom(3), { features: 8, blocks: 1 }), { scale: 4, maxRadius: 20 }],
  ])('measures %s', async (_, model, { scale, maxRadius }) => {
    expect(() => checkModel(model)).not.toThrow();
    const measured = await measureModel(model, threads);
    expect(measured.scale).toBe(scale);
    expect(measured.radius).toBeGreaterThan(0);
    expect(measured.radius).toBeLessThanOrEqual(maxRadius);
    expect(measured.overlap).toBeLessThanOrEqual(24);
    expect(measured.psnrDb).toBeGreaterThan(25);
    expect(measured.pixelsPerSecond).toBeGreaterThan(100);
  });

  it.each<[string, Uint8Array, string]>([
    ['values from 0 to 255', makeOneNode('Mul', {}, [Float32Array.of(255)]), "doesn't resemble the image"],
    ['values that are not numbers', makeOneNode('Mul', {}, [Float32Array.of(Number.NaN)]), 'not numbers'],
    ['a single color', makeOneNode('Mul', {}, [Float32Array.of(0)]), 'a single color'],
    ['half the size', makeOneNode('AveragePool', { kernel_shape: [2, 2], strides: [2, 2] }), "isn't a whole number"],
    ['a truncated graph', makeOneNode('SpaceToDepth', { blocksize: 1 }).slice(0, 40), "can't load the model"],
    ['noise', makeOneNode('RandomUniformLike', {}), 'Two runs on one image gave different results'],
    ['the mean of the whole image', makeGlobalModel(), "Tiles don't match the whole image"],
  ])('rejects a model with %s', async (_, model, reason) => {
    const error = await measureModel(model, threads).catch((error) => error);
    expect(error).toBeInstanceOf(ModelError);
    expect(error.message).toContain(reason);
  });
});
