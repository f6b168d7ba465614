/** The two files of an ncnn network, and the values in them. */
export type HandMade = { param: string; bin: Uint8Array; values: Record<string, number[]> };

type Part = { name: string; values: number[]; as: 'half' | 'float' | 'plain' };

/** Steps of 1/64 between -0.5 and 0.5, exact in half precision and different from one layer to the next. */
const steps = (count: number, seed: number) =>
  Array.from({ length: count }, (_, i) => (((i * 29 + seed * 17) % 65) - 32) / 64);

const paramText = `7767517
13 16
Input            data    0 1 data
Split            fork    1 2 data d0 d1
Convolution      head    1 1 d0 h 0=5 1=1 5=1 6=15
PReLU            slope   1 1 h p 0=5
Split            fan     1 3 p p0 p1 p2
Convolution      grow    1 1 p0 g 0=2 1=3 4=1 5=1 6=90 9=2 -23310=1,2.000000e-01
Concat           join    2 1 p1 g k
Convolution      fuse    1 1 k f 0=5 1=1 5=1 6=35
Eltwise          scale   2 1 f p2 s 0=1 -23301=2,2.000000e-01,1.000000e+00
Convolution      tail    1 1 s t 0=48 1=3 4=1 5=1 6=2160
PixelShuffle     shuffle 1 1 t u 0=4
Interp           nearest 1 1 d1 n 0=1 1=4.000000e+00 2=4.000000e+00
BinaryOp         add     2 1 u n output
`;

/**
 * Creates a network with every supported layer type, weights in half and full precision, odd counts (padding), a fused
 * LeakyReLU, and a weighted sum. It upscales by 4 with a receptive radius of 2 input pixels.
 */
export function makeNcnn(): HandMade {
  const parts: Part[] = [
    { name: 'head.weights', values: steps(15, 1), as: 'half' },
    { name: 'head.bias', values: steps(5, 2), as: 'plain' },
    { name: 'slope.slopes', values: steps(5, 3), as: 'plain' },
    { name: 'grow.weights', values: steps(90, 4), as: 'float' },
    { name: 'grow.bias', values: steps(2, 5), as: 'plain' },
    { name: 'fuse.weights', values: steps(35, 6), as: 'half' },
    { name: 'fuse.bias', values: steps(5, 7), as: 'plain' },
    { name: 'tail.weights', values: steps(2160, 8), as: 'half' },
    { name: 'tail.bias', values: steps(48, 9), as: 'plain' },
  ];
  const values = Object.fromEntries(parts.map((part) => [part.name, part.values]));
  return { param: paramText, bin: Buffer.concat(parts.map(encode)), values };
}

function encode({ values, as }: Part): Buffer {
  if (as === 'half') {
    const halves = Buffer.alloc(Math.ceil(values.length / 2) * 4);
    values.forEach((value, i) => {
      halves.writeUInt16LE(toHalf(value), i * 2);
    });
    return Buffer.concat([Buffer.from('476b3001', 'hex'), halves]);
  }
  const floats = Buffer.from(Float32Array.from(values).buffer);
  return as === 'float' ? Buffer.concat([Buffer.alloc(4), floats]) : floats;
}

/** Returns the bits of a half that equals `value` exactly (zero or a normal number). */
function toHalf(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const fraction = (Math.abs(value) / 2 ** exponent - 1) * 1024;
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | fraction;
}
