import { attributes, encodeModel, type GraphPiece, imagePorts, joinPieces, node, tensor } from './onnx-graph.ts';
import type { QuantizedBlock } from './quantize-blocks.ts';
import { type QuantizedLayer, quantizedLayerPiece, sharedTensors, type Wires } from './quantized-layer.ts';
import type { DenseNetwork } from './read-chain.ts';

const toLast = attributes({ perm: [0, 2, 3, 1] });
const toFirst = attributes({ perm: [0, 3, 1, 2] });
/** One more row and column on every side, channels last. */
const border = BigInt64Array.from([0, 1, 1, 0, 0, 1, 1, 0], BigInt);

/** Write a network with leading quantized groups. Between the blocks, the trunk has float samples, channels last. */
export function writeDenseNetwork(network: DenseNetwork, groups: QuantizedBlock[][]): Uint8Array {
  const pieces = groups.map((blocks, g) =>
    groupPiece(blocks, { name: `group${g}`, input: `trunk${g}`, output: `trunk${g + 1}` }),
  );
  const ends: GraphPiece = {
    nodes: [{ ...node('Transpose', 'trunk0', [network.nameTrunk(0)]), attribute: toLast }],
    tensors: [tensor('share', [], Float32Array.of(network.share)), tensor('border', [8], border)],
  };
  const back = node('Transpose', network.nameTrunk(groups.length), [`trunk${groups.length}`]);
  const rest = [...pieces, { nodes: [{ ...back, attribute: toFirst }], tensors: [] }, network.after(groups.length)];
  return encodeModel([sharedTensors, network.before, ends, ...rest], imagePorts);
}

function groupPiece(blocks: QuantizedBlock[], { name, input, output }: Wires): GraphPiece {
  const nameOf = (block: number) => (block === 0 ? input : `${name}.trunk${block}`);
  const pieces = blocks.map((block, b) =>
    blockPiece(block, { name: `${name}.${b}`, input: nameOf(b), output: nameOf(b + 1) }),
  );
  const nodes = [
    node('Mul', `${name}.shared`, [nameOf(blocks.length), 'share']),
    node('Add', output, [`${name}.shared`, input]),
  ];
  return joinPieces([...pieces, { nodes, tensors: [] }]);
}

function blockPiece(block: QuantizedBlock, { name, input, output }: Wires): GraphPiece {
  const { inverses, gains, zero, convolutions } = block;
  const nameInput = (convolution: number) => `${name}.inputs${convolution}`;
  const begin: GraphPiece = {
    nodes: [
      node('Mul', `${name}.scaled`, [input, `${name}.inverses`]),
      node('QuantizeLinear', `${name}.samples`, [`${name}.scaled`, 'one', `${name}.zero`]),
      node('Pad', nameInput(0), [`${name}.samples`, 'border', `${name}.zero`]),
    ],
    tensors: [
      tensor(`${name}.zero`, [], Uint8Array.of(zero)),
      tensor(`${name}.inverses`, [inverses.length], inverses),
      tensor(`${name}.gains`, [gains.length], gains),
    ],
  };
  const pieces = convolutions.map((layer, i) => {
    const own = `${name}.layer${i}`;
    const samples = `${own}.samples`;
    const piece = quantizedLayerPiece(layer, { name: own, input: nameInput(i), output: samples });
    if (!layer.leak) return piece;
    // The samples, with a border of their zero point, are appended to the input of the next convolution.
    const grown = [
      node('Pad', `${own}.padded`, [samples, 'border', `${own}.border`]),
      { ...node('Concat', nameInput(i + 1), [nameInput(i), `${own}.padded`]), attribute: attributes({ axis: 3 }) },
    ];
    const border = tensor(`${own}.border`, [], Uint8Array.of(layer.leak.zero));
    return joinPieces([piece, { nodes: grown, tensors: [border] }]);
  });
  return joinPieces([begin, ...pieces, addPiece(convolutions, { name, input, output })]);
}

function addPiece(convolutions: QuantizedLayer[], { name, input, output }: Wires): GraphPiece {
  const zero = `${name}.lastZero`;
  const samples = `${name}.layer${convolutions.length - 1}.samples`;
  return {
    nodes: [
      node('DequantizeLinear', `${name}.counted`, [samples, 'one', zero]),
      node('Mul', `${name}.gained`, [`${name}.counted`, `${name}.gains`]),
      node('Add', output, [`${name}.gained`, input]),
    ],
    tensors: [tensor(zero, [], Uint8Array.of(convolutions.at(-1)?.zeroOut ?? 0))],
  };
}
