import { makeCompact, makeRrdb, makeSpan } from '@uprez/testing/models/architectures';
import { makeRandom } from '@uprez/testing/random';
import onnxProto from 'onnx-proto';
import { expect, it } from 'vitest';
import { checkModel } from '../src/custom/check-model.ts';
import { customModelLimits, ModelError } from '../src/custom/custom-model.ts';

const { onnx } = onnxProto;
type Graph = onnxProto.onnx.IGraphProto;
type Model = onnxProto.onnx.IModelProto;
type Tensor = onnxProto.onnx.ITensorProto;

const compact = makeCompact(makeRandom(1), { scale: 2, features: 4, blocks: 2 });

/** Changes a small model that is accepted. */
function changeModel(change: (graph: Graph, model: Model) => void): Uint8Array {
  const model = onnx.ModelProto.decode(compact);
  change(model.graph as Graph, model);
  return onnx.ModelProto.encode(model).finish();
}

const firstTensor = ({ initializer }: Graph) => initializer?.[0] as Tensor;
const rename = (opType: string) => (graph: Graph) => {
  Object.assign(graph.node?.[0] ?? {}, { opType });
};
const sizeInput = (sides: object[]) => (graph: Graph) => {
  Object.assign(graph.input?.[0]?.type?.tensorType ?? {}, { shape: { dim: sides } });
};

it.each([
  ['SRVGGNetCompact', compact],
  ['SPAN', makeSpan(makeRandom(2), { scale: 3, features: 6, blocks: 2 })],
  ['RRDBNet', makeRrdb(makeRandom(3), { features: 6, blocks: 1 })],
])('accepts %s', (_, model) => {
  expect(() => checkModel(model)).not.toThrow();
});

it.each<[string, Uint8Array, string]>([
  ['text', new TextEncoder().encode('This is not a model.'), "The file isn't an ONNX model"],
  ['a file without a network', onnx.ModelProto.encode({ irVersion: 8 }).finish(), 'The file contains no network'],
  ['a truncated file', compact.subarray(0, compact.length - 100), "The file isn't an ONNX model"],
  [
    'external data',
    changeModel((graph) =>
      Object.assign(firstTensor(graph), { externalData: [{ key: 'location', value: '/etc/passwd' }] }),
    ),
    'are in another file',
  ],
  [
    'a huge tensor',
    changeModel((graph) => Object.assign(firstTensor(graph), { dims: [4_000_000_000, 3, 3, 3] })),
    'are larger than 65536',
  ],
  [
    'a tensor without its data',
    changeModel((graph) => Object.assign(firstTensor(graph), { dims: [60_000, 60_000] })),
    "don't have the size of their shape",
  ],
  [
    'half-precision weights',
    changeModel((graph) => Object.assign(firstTensor(graph), { dataType: 10 })),
    'unsupported data type',
  ],
  ['sparse weights', changeModel((graph) => Object.assign(graph, { sparseInitializer: [{}] })), 'sparse weights'],
  ['a loop', changeModel(rename('Loop')), 'control flow ("Loop")'],
  ['a condition', changeModel(rename('If')), 'control flow ("If")'],
  ['an unknown operator', changeModel(rename('EyeLike')), '"EyeLike" isn\'t supported'],
  [
    'another domain',
    changeModel((graph) => Object.assign(graph.node?.[0] ?? {}, { domain: 'evil' })),
    '"Conv" isn\'t supported',
  ],
  [
    'a nested network',
    changeModel((graph) => graph.node?.[0]?.attribute?.push({ name: 'body', g: { name: 'inner' } })),
    'a network of its own',
  ],
  [
    'a huge padding',
    changeModel((graph) => graph.node?.[0]?.attribute?.push({ name: 'pads', ints: [9e9] })),
    'a setting above 1024',
  ],
  [
    'functions',
    changeModel((_, model) => Object.assign(model, { functions: [{ name: 'Conv' }] })),
    'its own functions',
  ],
  ['an old opset', changeModel((_, model) => Object.assign(model, { opsetImport: [{ version: 9 }] })), 'opset 9'],
  [
    'too many nodes',
    changeModel((graph) => Object.assign(graph, { node: Array(10_001).fill(graph.node?.[0]) })),
    'has 10001 nodes',
  ],
  ['two inputs', changeModel((graph) => graph.input?.push({ name: 'mask' })), 'has 2 inputs'],
  ['no output', changeModel((graph) => Object.assign(graph, { output: [] })), 'has 0 outputs'],
  [
    'a missing shape',
    changeModel((graph) => Object.assign(graph.input?.[0]?.type?.tensorType ?? {}, { shape: null })),
    'no shape of 4 axes',
  ],
  ['a gray input', changeModel(sizeInput([{ dimValue: 1 }, { dimValue: 1 }, {}, {}])), "doesn't have 3 channels"],
  ['a batch', changeModel(sizeInput([{ dimValue: 8 }, { dimValue: 3 }, {}, {}])), 'batch size of 1'],
  [
    'a fixed size',
    changeModel(sizeInput([{ dimValue: 1 }, { dimValue: 3 }, { dimValue: 64 }, { dimValue: 64 }])),
    'a fixed size',
  ],
  [
    'integers',
    changeModel((graph) => Object.assign(graph.input?.[0]?.type?.tensorType ?? {}, { elemType: 2 })),
    "doesn't have 32-bit floats",
  ],
  ['too many bytes', new Uint8Array(customModelLimits.fileBytes + 1), 'larger than 256 MB'],
])('rejects %s', (_, model, reason) => {
  expect(() => checkModel(model)).toThrow(ModelError);
  expect(() => checkModel(model)).toThrow(reason);
});

it('never throws anything but ModelError for damaged files', () => {
  const random = makeRandom(4);
  let refused = 0;
  for (let i = 0; i < 400; i++) {
    const damaged = compact.slice();
    for (let k = 0; k < 3; k++) damaged[random(400)] = random(256);
    try {
      checkModel(damaged);
    } catch (error) {
      expect(error).toBeInstanceOf(ModelError);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(50);
});
