import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/inspect/inspect.ts';
import { makePngFile, pngChunk } from '../hostile/png-file.ts';
import { decodeImage } from '../support/decode-image.ts';
import type { Image } from '../support/images.ts';

const size = { width: 11, height: 5 };
const pixels = size.width * size.height;
/** Color types by number (PNG 3rd edition, 11.2.1): samples of a pixel as stored, and depths allowed. */
const kinds = [
  { colorType: 0, samples: 1, depths: [1, 2, 4, 8, 16] },
  { colorType: 2, samples: 3, depths: [8, 16] },
  { colorType: 3, samples: 1, depths: [1, 2, 4, 8] },
  { colorType: 4, samples: 2, depths: [8, 16] },
  { colorType: 6, samples: 4, depths: [8, 16] },
] as const;
const cases = kinds.flatMap(({ colorType, samples, depths }) =>
  depths.flatMap((bits) => [false, true].map((isClear) => ({ colorType, samples, bits, isClear }))),
);

/** Stored values: each appears, and 0 is among them. */
const valueAt = (i: number, bits: number) => (bits === 16 ? (i * 2_657) % 65_536 : (i * 37) % 2 ** bits);
const colorOf = (index: number) => [index % 256, (index * 3 + 40) % 256, 255 - (index % 256)];

/** Rows after their filter bytes, samples packed from the highest bit. */
function pack(samples: number, bits: number): Buffer {
  const rowBits = size.width * samples * bits;
  const rows = Array.from({ length: size.height }, (_, y) => {
    const row = Buffer.alloc(1 + Math.ceil(rowBits / 8));
    for (let x = 0; x < size.width * samples; x++) {
      const value = valueAt(y * size.width * samples + x, bits);
      if (bits === 16) row.writeUInt16BE(value, 1 + x * 2);
      else {
        const at = 1 + ((x * bits) >> 3);
        row[at] = (row[at] ?? 0) | (value << (8 - bits - ((x * bits) % 8)));
      }
    }
    return row;
  });
  return Buffer.concat(rows);
}

type Case = (typeof cases)[number];

/** What the specification says that the pixels are. */
function expected({ colorType, samples, bits, isClear }: Case): Image {
  const most = 2 ** bits - 1;
  const full = bits === 16 ? 65_535 : 255;
  const data = Array.from({ length: pixels }, (_, pixel) => {
    const stored = Array.from({ length: samples }, (_, c) => valueAt(pixel * samples + c, bits));
    const color = colorType === 3 ? colorOf(stored[0] ?? 0) : stored.map((value) => (value * full) / most);
    if (!isClear || colorType > 3) return color;
    const isHidden = colorType === 3 ? stored[0] === 0 : stored.every((value) => value === 0);
    return [...color, isHidden ? 0 : full];
  }).flat();
  const samplesOut = bits === 16 ? Uint16Array.from(data) : Uint8Array.from(data);
  return { ...size, channels: (data.length / pixels) as Image['channels'], data: samplesOut };
}

function makeFile({ colorType, samples, bits, isClear }: Case): Buffer {
  const palette = Buffer.from(Array.from({ length: 2 ** bits }, (_, i) => colorOf(i)).flat());
  // Grey and RGB: the color 0 is transparent; palettes: the first entry.
  const clear = Buffer.alloc(colorType === 3 ? 1 : samples * 2);
  const chunks = [
    ...(colorType === 3 ? [pngChunk('PLTE', palette)] : []),
    ...(isClear && colorType < 4 ? [pngChunk('tRNS', clear)] : []),
  ];
  return makePngFile({ ...size, colorType, bits, rows: pack(samples, bits), chunks });
}

describe('every kind of PNG', () => {
  it.each(cases)('color type $colorType of $bits bits, a transparent color: $isClear', async (one) => {
    const file = makeFile(one);
    const wanted = expected(one);
    const isGray = one.colorType === 0 || one.colorType === 4;
    expect(await inspect(file)).toMatchObject({
      ...size,
      channels: wanted.channels,
      space: isGray ? 'grey' : 'rgb',
      isPalette: one.colorType === 3,
      bitDepth: one.colorType === 3 ? 8 : one.bits,
      hasAlpha: wanted.channels % 2 === 0,
    });
    const { image } = await decodeImage(file);
    expect(image).toEqual(wanted);
  });
});
