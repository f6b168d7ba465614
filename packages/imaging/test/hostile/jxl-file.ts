import { readFileSync } from 'node:fs';

const names = ['photo', 'lossy', 'grey', 'deep', 'alpha', 'profile', 'primaries', 'turned'] as const;
const framed = ['layers', 'animation', 'channels', 'order', 'progressive', 'repeats'] as const;
const profiles = ['large-profile', 'huge-profile'] as const;
type Name = (typeof names | typeof framed | typeof profiles)[number];
/** Returns a JPEG XL file of `test/fixtures/jxl`. */
export const jxlFixture = (name: Name): Buffer => readFileSync(new URL(`../fixtures/jxl/${name}.jxl`, import.meta.url));

type Field = readonly [value: number, bits: number];

/** Returns these fields, the lowest bit first, padded to whole bytes. */
function pack(fields: readonly Field[]): Buffer {
  const bits = fields.map(([value, count]) => [...value.toString(2).padStart(count, '0')].reverse().join('')).join('');
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt([...byte.padEnd(8, '0')].reverse().join(''), 2)));
}

const start = Buffer.from([0xff, 0x0a]);
const sizeOf = (width: number, height: number): Field[] => [
  ...[[0, 1] as const, [3, 2] as const, [height - 1, 30] as const],
  ...[[0, 3] as const, [3, 2] as const, [width - 1, 30] as const],
];

/** Returns the start of a codestream that declares these sides (ISO/IEC 18181-1, D.2) and an image like most others. */
export const jxlOf = (width: number, height: number): Buffer =>
  Buffer.concat([start, pack([...sizeOf(width, height), [1, 1]]), Buffer.alloc(16)]);

/** Returns an animation of 64 x 64 pixels with 2^30 repetitions (D.3.5), and no frames. */
export const jxlAnimation = (): Buffer =>
  Buffer.concat([
    start,
    pack([...sizeOf(64, 64), [0, 1], [1, 1], [0, 5], [1, 1], [0, 4], [3, 2], [2 ** 30, 32]]),
    Buffer.alloc(16),
  ]);

/** Returns an image of 64 x 64 pixels whose first frame declares these sides (annex F.2), and has sections of no bytes. */
export function jxlFrameOf(side: number): Buffer {
  const large: Field[] = [
    [3, 2],
    [side - 18_688, 30],
  ];
  // A regular frame in modular mode, cropped at 0, 0.
  const frame: Field[] = [
    [0, 1],
    [0, 2],
    [1, 1],
    [0, 2],
    [0, 2],
    [1, 2],
    [0, 2],
    [1, 1],
    [0, 10],
    [0, 10],
    ...large,
    ...large,
    // It replaces what is before, and is the last one.
    [0, 2],
    [1, 1],
  ];
  const parts = [pack([...sizeOf(64, 64), [1, 1], [1, 1]]), pack(frame), Buffer.alloc(400_000)];
  return Buffer.concat([start, ...parts]);
}

/** Where the frame of `lossy.jxl` begins. */
const lossyFrame = 7;

/** Returns an image of 64 x 48 pixels with a preview of the same size (D.3.4): both are `lossy.jxl`. */
export function jxlWithPreview(): Buffer {
  const frame = jxlFixture('lossy').subarray(lossyFrame);
  const size: Field[] = [
    ...[[0, 1] as const, [0, 2] as const, [47, 9] as const],
    ...[[0, 3] as const, [0, 2] as const, [63, 9] as const],
  ];
  // Other fields than the default: no turn, no intrinsic size, a preview of 6 x 8 rows and 8 x 8 columns, and no animation.
  const preview: Field[] = [
    [0, 1],
    [1, 1],
    [0, 3],
    [0, 1],
    [1, 1],
    [1, 1],
    [2, 2],
    [5, 5],
    [0, 3],
    [2, 2],
    [7, 5],
    [0, 1],
  ];
  // 8 bits, small buffers, no other channels, XYB, sRGB, and the defaults of all else.
  const colors: Field[] = [
    [0, 1],
    [0, 2],
    [1, 1],
    [0, 2],
    [1, 1],
    [1, 1],
    [1, 1],
    [0, 2],
    [1, 1],
  ];
  return Buffer.concat([start, pack([...size, ...preview, ...colors]), frame, frame]);
}
