import type { Convolution, Operation } from '../ncnn/network.ts';
import { float, type GraphPiece, int, ints, type Node, nearest, node, string, type Tensor, tensor } from './parts.ts';

type Of<Kind extends Operation['kind']> = Extract<Operation, { kind: Kind }>;

/** Translates one operation into ONNX opset 17 nodes; the last node's output has the name of the operation's output. */
export function operationToNodes(operation: Operation): GraphPiece {
  switch (operation.kind) {
    case 'convolution':
      return convolution(operation);
    case 'prelu':
      return prelu(operation);
    case 'concat':
      return {
        nodes: [node('Concat', operation.output, { input: operation.inputs, attribute: [int('axis', 1)] })],
        tensors: [],
      };
    case 'weighted-sum':
      return weightedSum(operation);
    case 'nearest':
      return nearestPiece(operation);
    case 'pixel-shuffle': {
      const attribute = [int('blocksize', operation.block), string('mode', 'CRD')];
      return { nodes: [node('DepthToSpace', operation.output, { input: [operation.input], attribute })], tensors: [] };
    }
  }
}

function convolution(operation: Convolution): GraphPiece {
  const { name, input, output, inChannels, outChannels, kernel, pad, leak } = operation;
  const weights = tensor(`${name}.weights`, [outChannels, inChannels, kernel, kernel], operation.weights);
  const bias = tensor(`${name}.bias`, [outChannels], operation.bias);
  const linear = leak === undefined ? output : `${output}.linear`;
  const conv = node('Conv', linear, {
    input: [input, `${name}.weights`, `${name}.bias`],
    attribute: [ints('kernel_shape', [kernel, kernel]), ints('pads', [pad, pad, pad, pad]), ints('strides', [1, 1])],
  });
  if (leak === undefined) return { nodes: [conv], tensors: [weights, bias] };
  const activation = node('LeakyRelu', output, { input: [linear], attribute: [float('alpha', leak)] });
  return { nodes: [conv, activation], tensors: [weights, bias] };
}

function prelu({ name, input, output, slopes }: Of<'prelu'>): GraphPiece {
  return {
    nodes: [node('PRelu', output, { input: [input, `${name}.slopes`] })],
    tensors: [tensor(`${name}.slopes`, [slopes.length, 1, 1], slopes)],
  };
}

function weightedSum({ name, inputs, output, coefficients }: Of<'weighted-sum'>): GraphPiece {
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

function nearestPiece({ name, input, output, scale }: Of<'nearest'>): GraphPiece {
  return {
    nodes: [node('Resize', output, { input: [input, '', `${name}.scales`], attribute: nearest })],
    tensors: [tensor(`${name}.scales`, [4], Float32Array.of(1, 1, scale, scale))],
  };
}
