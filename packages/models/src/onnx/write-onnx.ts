import type { Convolution, Network, Operation } from '../ncnn/read-network.ts';
import {
  attributes,
  clipOutput,
  encodeModel,
  type GraphPiece,
  imagePorts,
  type Node,
  nearestAttributes,
  node,
  type Tensor,
  tensor,
} from './onnx-graph.ts';

/** Writes an upscaling network as an ONNX model, deterministically. Its input and output are `imagePorts`, RGB 0-1. */
export function writeOnnx(network: Network): Uint8Array {
  const pieces = network.operations.map((operation) => operationToPiece(renameBlobs(operation, network)));
  return encodeModel([...pieces, clipOutput], imagePorts, false);
}

/** Prefixes the ncnn names of blobs, because they could equal the names of the graph's own input and output. */
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
      return convolutionPiece(operation);
    case 'prelu':
      return {
        nodes: [node('PRelu', output, [operation.input, `${name}.slopes`])],
        tensors: [tensor(`${name}.slopes`, [operation.slopes.length, 1, 1], operation.slopes)],
      };
    case 'concat':
      return {
        nodes: [{ ...node('Concat', output, operation.inputs), attribute: attributes({ axis: 1 }) }],
        tensors: [],
      };
    case 'weighted-sum':
      return weightedSumPiece(operation);
    case 'nearest':
      return {
        nodes: [{ ...node('Resize', output, [operation.input, '', `${name}.scales`]), attribute: nearestAttributes }],
        tensors: [tensor(`${name}.scales`, [4], Float32Array.of(1, 1, operation.scale, operation.scale))],
      };
    case 'pixel-shuffle': {
      const attribute = attributes({ blocksize: operation.block, mode: 'CRD' });
      return { nodes: [{ ...node('DepthToSpace', output, [operation.input]), attribute }], tensors: [] };
    }
  }
}

function convolutionPiece(operation: Convolution): GraphPiece {
  const { name, input, output, inChannels, outChannels, kernel, pad, leak } = operation;
  const weights = tensor(`${name}.weights`, [outChannels, inChannels, kernel, kernel], operation.weights);
  const bias = tensor(`${name}.bias`, [outChannels], operation.bias);
  const linear = leak === undefined ? output : `${output}.linear`;
  const attribute = attributes({ kernel_shape: [kernel, kernel], pads: [pad, pad, pad, pad], strides: [1, 1] });
  const nodes = [{ ...node('Conv', linear, [input, `${name}.weights`, `${name}.bias`]), attribute }];
  if (leak !== undefined)
    nodes.push({ ...node('LeakyRelu', output, [linear]), attribute: attributes({ alpha: leak }) });
  return { nodes, tensors: [weights, bias] };
}

function weightedSumPiece({
  name,
  inputs,
  output,
  coefficients,
}: Extract<Operation, { kind: 'weighted-sum' }>): GraphPiece {
  const nodes: Node[] = [];
  const tensors: Tensor[] = [];
  const terms = inputs.map((input, index) => {
    const coefficient = coefficients[index] ?? 1;
    if (coefficient === 1) return input;
    const factor = `${name}.factor${index}`;
    tensors.push(tensor(factor, [], Float32Array.of(coefficient)));
    nodes.push(node('Mul', `${name}.term${index}`, [input, factor]));
    return `${name}.term${index}`;
  });
  nodes.push(node('Add', output, terms));
  return { nodes, tensors };
}
