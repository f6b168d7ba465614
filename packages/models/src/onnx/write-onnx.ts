import type { Convolution, Network, Operation } from '../ncnn/read-network.ts';
import {
  clipOutput,
  encodeModel,
  float,
  type GraphPiece,
  imagePorts,
  int,
  ints,
  type Node,
  nearest,
  node,
  string,
  type Tensor,
  tensor,
} from './onnx-graph.ts';

/** Write an upscaling network as an ONNX model, deterministically. Its ends are `imagePorts`, RGB 0-1. */
export function writeOnnx(network: Network): Uint8Array {
  const pieces = network.operations.map((operation) => operationToPiece(renameBlobs(operation, network)));
  return encodeModel([...pieces, clipOutput], imagePorts, false);
}

/** Prefix the ncnn names of blobs, because they could equal the names of the graph's own ends. */
function renameBlobs(operation: Operation, { input, output }: Network): Operation {
  const rename = (blob: string) => (blob === input ? 'data' : blob === output ? 'unclamped' : `blob.${blob}`);
  const renamed = { ...operation, output: rename(operation.output) };
  if ('inputs' in renamed) return { ...renamed, inputs: renamed.inputs.map(rename) };
  return { ...renamed, input: rename(renamed.input) };
}

function operationToPiece(operation: Operation): GraphPiece {
  const { name, output } = operation;
  switch (operation.kind) {
    case 'convolution':
      return convolution(operation);
    case 'prelu':
      return {
        nodes: [node('PRelu', output, { input: [operation.input, `${name}.slopes`] })],
        tensors: [tensor(`${name}.slopes`, [operation.slopes.length, 1, 1], operation.slopes)],
      };
    case 'concat':
      return { nodes: [node('Concat', output, { input: operation.inputs, attribute: [int('axis', 1)] })], tensors: [] };
    case 'weighted-sum':
      return weightedSum(operation);
    case 'nearest':
      return {
        nodes: [node('Resize', output, { input: [operation.input, '', `${name}.scales`], attribute: nearest })],
        tensors: [tensor(`${name}.scales`, [4], Float32Array.of(1, 1, operation.scale, operation.scale))],
      };
    case 'pixel-shuffle': {
      const attribute = [int('blocksize', operation.block), string('mode', 'CRD')];
      return { nodes: [node('DepthToSpace', output, { input: [operation.input], attribute })], tensors: [] };
    }
  }
}

function convolution(operation: Convolution): GraphPiece {
  const { name, input, output, inChannels, outChannels, kernel, pad, leak } = operation;
  const weights = tensor(`${name}.weights`, [outChannels, inChannels, kernel, kernel], operation.weights);
  const bias = tensor(`${name}.bias`, [outChannels], operation.bias);
  const linear = leak === undefined ? output : `${output}.linear`;
  const nodes = [
    node('Conv', linear, {
      input: [input, `${name}.weights`, `${name}.bias`],
      attribute: [ints('kernel_shape', [kernel, kernel]), ints('pads', [pad, pad, pad, pad]), ints('strides', [1, 1])],
    }),
  ];
  if (leak !== undefined) nodes.push(node('LeakyRelu', output, { input: [linear], attribute: [float('alpha', leak)] }));
  return { nodes, tensors: [weights, bias] };
}

function weightedSum({ name, inputs, output, coefficients }: Extract<Operation, { kind: 'weighted-sum' }>): GraphPiece {
  const nodes: Node[] = [];
  const tensors: Tensor[] = [];
  const terms = inputs.map((input, index) => {
    const coefficient = coefficients[index] ?? 1;
    if (coefficient === 1) return input;
    const factor = `${name}.factor${index}`;
    tensors.push(tensor(factor, [], Float32Array.of(coefficient)));
    nodes.push(node('Mul', `${name}.term${index}`, { input: [input, factor] }));
    return `${name}.term${index}`;
  });
  nodes.push(node('Add', output, { input: terms }));
  return { nodes, tensors };
}
