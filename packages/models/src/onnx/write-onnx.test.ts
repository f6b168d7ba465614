import onnxProto from 'onnx-proto';
import { expect, test } from 'vitest';
import { makeNcnn } from '../../test/make-ncnn.ts';
import { receptiveRadius } from '../../test/receptive-radius.ts';
import { sha256 } from '../files/sha256.ts';
import { readNetwork } from '../ncnn/read-network.ts';
import { writeOnnx } from './write-onnx.ts';

const convertNcnn = (given: ReturnType<typeof files>) => writeOnnx(readNetwork(given));
const handMade = makeNcnn();
const files = (changed: { param?: string; bin?: Uint8Array } = {}) => ({
  param: { file: 'net.param', text: changed.param ?? handMade.param },
  bin: { file: 'net.bin', bytes: changed.bin ?? handMade.bin },
});

test('reads every layer type with its weights, in order, without splits', () => {
  const { input, output, operations } = readNetwork(files());
  expect({ input, output }).toEqual({ input: 'data', output: 'output' });
  expect(operations.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'head convolution',
    'slope prelu',
    'grow convolution',
    'join concat',
    'fuse convolution',
    'scale weighted-sum',
    'tail convolution',
    'shuffle pixel-shuffle',
    'nearest nearest',
    'add weighted-sum',
  ]);
  expect(operations[2]).toMatchObject({ input: 'p', inChannels: 5, outChannels: 2, kernel: 3, pad: 1, leak: 0.2 });
  expect(operations[3]).toMatchObject({ inputs: ['p', 'g'] });
  expect(operations[5]).toMatchObject({ inputs: ['f', 'p'], coefficients: [0.2, 1] });
  const read = Object.fromEntries(
    operations.flatMap((operation) => {
      if (operation.kind === 'prelu') return [[`${operation.name}.slopes`, [...operation.slopes]]];
      if (operation.kind !== 'convolution') return [];
      return [
        [`${operation.name}.weights`, [...operation.weights]],
        [`${operation.name}.bias`, [...operation.bias]],
      ];
    }),
  );
  expect(read).toEqual(handMade.values);
});

test('computes the receptive field from the longest path', () => {
  expect(receptiveRadius(readNetwork(files()))).toBe(2);
});

test('writes opset, ends, nodes, and float32 initializers', () => {
  const model = onnxProto.onnx.ModelProto.decode(convertNcnn(files()));
  expect(model.opsetImport.map(({ version }) => Number(version))).toEqual([17]);
  const { input, output, node, initializer } = model.graph ?? {};
  const shape = (value: onnxProto.onnx.IValueInfoProto | undefined) =>
    value?.type?.tensorType?.shape?.dim?.map((dim) => dim.dimParam || Number(dim.dimValue));
  expect([input?.[0]?.name, shape(input?.[0])]).toEqual(['data', ['batch', 3, 'height', 'width']]);
  expect([output?.[0]?.name, shape(output?.[0])]).toEqual(['output', ['batch', 3, 'outputHeight', 'outputWidth']]);
  expect(node?.map(({ opType }) => opType).join(' ')).toBe(
    'Conv PRelu Conv LeakyRelu Concat Conv Mul Add Conv DepthToSpace Resize Add Clip',
  );
  const known = new Set(['', 'data', ...(initializer ?? []).map(({ name }) => name)]);
  for (const { input: reads, output: writes } of node ?? []) {
    expect(reads?.filter((name) => !known.has(name))).toEqual([]);
    for (const name of writes ?? []) known.add(name);
  }
  const weights = initializer?.find(({ name }) => name === 'head.weights');
  expect(weights?.dims?.map(Number)).toEqual([5, 3, 1, 1]);
  expect([...new Float32Array(Uint8Array.from(weights?.rawData ?? []).buffer)]).toEqual(
    handMade.values['head.weights'],
  );
});

test('writes the same bytes for the same network', () => {
  const first = sha256(convertNcnn(files()));
  expect(sha256(convertNcnn(files({ param: handMade.param.replaceAll('\n', '\r\n') })))).toBe(first);
  const bin = Uint8Array.from(handMade.bin);
  bin[4] = (bin[4] ?? 0) ^ 1;
  expect(sha256(convertNcnn(files({ bin })))).not.toBe(first);
});

test.each([
  ['cut by one byte', handMade.bin.subarray(0, -1), 'inside the bias of tail'],
  ['cut in the middle', handMade.bin.subarray(0, 100), 'inside the weights of grow'],
  ['empty', handMade.bin.subarray(0, 0), 'inside the weights of head'],
  ['with four bytes too many', Buffer.concat([handMade.bin, Buffer.alloc(4)]), '4 bytes are left over'],
  ['with another storage tag', Buffer.concat([Buffer.from('384b0d00', 'hex'), handMade.bin.subarray(4)]), '0xd4b38'],
])('throws an error that names the file for a .bin %s', (_, bin, reason) => {
  expect(() => convertNcnn(files({ bin }))).toThrow(/^net\.bin: /);
  expect(() => convertNcnn(files({ bin }))).toThrow(reason);
});

test.each([
  { what: 'a layer it does not know', from: 'PReLU ', to: 'Sigmoid ', reason: 'slope is a Sigmoid' },
  { what: 'a stride', from: '0=5 1=1 5=1 6=15', to: '0=5 1=1 3=2 5=1 6=15', reason: 'head has the unknown option 3' },
  { what: 'another activation', from: '9=2', to: '9=1', reason: 'grow has the unknown option 9=1' },
  { what: 'a bicubic resize', from: 'd1 n 0=1', to: 'd1 n 0=3', reason: 'nearest has the unknown option 0=3' },
  {
    what: 'unequal scales',
    from: '1=4.000000e+00 2=4',
    to: '1=2.000000e+00 2=4',
    reason: 'nearest scales height and width differently',
  },
  { what: 'a product of blobs', from: 's 0=1 ', to: 's 0=0 ', reason: 'scale has the unknown option 0=0' },
  { what: 'a weight count that does not fit', from: '6=35', to: '6=36', reason: 'fuse has 36 weights' },
  {
    what: 'one coefficient too few',
    from: '-23301=2,2.000000e-01,',
    to: '-23301=1,',
    reason: 'scale adds other than two blobs',
  },
  { what: 'a blob from nowhere', from: '1 1 h p', to: '1 1 z p', reason: 'slope reads z before it exists' },
])('throws an error that names the file: $what', ({ from, to, reason }) => {
  const param = handMade.param.replace(from, to);
  expect(param).not.toBe(handMade.param);
  expect(() => convertNcnn(files({ param }))).toThrow(`net.param: ${reason}`);
});
