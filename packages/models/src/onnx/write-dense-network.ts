import { encodeModel } from './encode-model.ts';
import { type GraphPiece, int, ints, node, port, tensor } from './parts.ts';
import type { QuantizedBlock } from './quantize-blocks.ts';
import { quantizedLayerPiece, sharedTensors, type Wires } from './quantized-layer.ts';
import type { DenseNetwork } from './read-dense-network.ts';

const toLast = [ints('perm', [0, 2, 3, 1])];
const toFirst = [ints('perm', [0, 3, 1, 2])];

/**
 * Writes a network whose leading groups are quantized, with the same ends as `writeOnnx`. Between the blocks the trunk
 * stays in floats, channels last; the groups that are left, and all behind them, are the plain network's own.
 */
export function writeDenseNetwork(network: DenseNetwork, groups: QuantizedBlock[][]): Uint8Array {
  const pieces = groups.map((blocks, g) =>
    groupPiece(blocks, { name: `group${g}`, input: `trunk${g}`, output: `trunk${g + 1}` }),
  );
  const ends: GraphPiece = {
    nodes: [node('Transpose', 'trunk0', { input: [network.nameTrunk(0)], attribute: toLast })],
    tensors: [tensor('share', [], Float32Array.of(network.share))],
  };
  const back = node('Transpose', network.nameTrunk(groups.length), {
    input: [`trunk${groups.length}`],
    attribute: toFirst,
  });
  const rest = [...pieces, { nodes: [back], tensors: [] }, network.after(groups.length)];
  return encodeModel([sharedTensors(), network.before, ends, ...rest], {
    inputs: [port('data', 'float', ['batch', 3, 'height', 'width'])],
    outputs: [port('output', 'float', ['batch', 3, 'outputHeight', 'outputWidth'])],
  });
}

function groupPiece(blocks: QuantizedBlock[], { name, input, output }: Wires): GraphPiece {
  const nameOf = (block: number) => (block === 0 ? input : `${name}.trunk${block}`);
  const pieces = blocks.map((block, b) =>
    blockPiece(block, { name: `${name}.${b}`, input: nameOf(b), output: nameOf(b + 1) }),
  );
  const nodes = [
    node('Mul', `${name}.shared`, { input: [nameOf(blocks.length), 'share'] }),
    node('Add', output, { input: [`${name}.shared`, input] }),
  ];
  return join([...pieces, { nodes, tensors: [] }]);
}

function blockPiece(block: QuantizedBlock, { name, input, output }: Wires): GraphPiece {
  const [zero, inverses, gains] = [`${name}.zero`, `${name}.inverses`, `${name}.gains`];
  const nameInput = (convolution: number) => `${name}.inputs${convolution}`;
  const begin: GraphPiece = {
    nodes: [
      node('Mul', `${name}.scaled`, { input: [input, inverses] }),
      node('QuantizeLinear', nameInput(0), { input: [`${name}.scaled`, 'one', zero] }),
    ],
    tensors: [
      tensor(zero, [], Uint8Array.of(block.convolutions[0]?.zeroOut ?? 0)),
      tensor(inverses, [block.inverses.length], block.inverses),
      tensor(gains, [block.gains.length], block.gains),
    ],
  };
  const pieces = block.convolutions.map((layer, i) => {
    const own = `${name}.layer${i}`;
    const piece = quantizedLayerPiece(layer, { name: own, input: nameInput(i), output: `${own}.samples` });
    if (i === block.convolutions.length - 1) return piece;
    const inputs = [nameInput(i), `${own}.samples`];
    const concat = node('Concat', nameInput(i + 1), { input: inputs, attribute: [int('axis', 3)] });
    return { nodes: [...piece.nodes, concat], tensors: piece.tensors };
  });
  const last = `${name}.layer${block.convolutions.length - 1}.samples`;
  const nodes = [
    node('DequantizeLinear', `${name}.counted`, { input: [last, 'one', zero] }),
    node('Mul', `${name}.gained`, { input: [`${name}.counted`, gains] }),
    node('Add', output, { input: [`${name}.gained`, input] }),
  ];
  return join([begin, ...pieces, { nodes, tensors: [] }]);
}

const join = (pieces: GraphPiece[]): GraphPiece => ({
  nodes: pieces.flatMap(({ nodes }) => nodes),
  tensors: pieces.flatMap(({ tensors }) => tensors),
});
