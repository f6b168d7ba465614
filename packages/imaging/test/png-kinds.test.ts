import { describe, expect, it } from 'vitest';
import { inspect } from '../src/inspect/inspect.ts';
import { decodeImage } from './decode-image.ts';
import { makePngFile, pngChunk } from './hostile/png-file.ts';
import type { Image } from './images.ts';

const size = { width: 11, height: 5 };
const pixels = size.width * size.height;
/** Colour types by number (PNG 3rd edition, 11.2.1): samples of a pixel as stored, and depths allowed. */
const kinds = [
  { colourType: 0, samples: 1, depths: [1, 2, 4, 8, 16] },
  { colourType: 2, samples: 3, depths: [8, 16] },
  { colourType: 3, samples: 1, depths: [1, 2, 4, 8] },
  { colourType: 4, samples: 2, depths: [8, 16] },
  { colourType: 6, samples: 4, depths: [8, 16] },
] as const;
const cases = kinds.flatMap(({ colourType, samples, depths }) =>
  depths.flatMap((bits) => [false, true].map((isClear) => ({ colourType, samples, bits, isClear }))),
);

/** Stored values: each appears, and 0 is among them. */
const valueAt = (i: number, bits: number) => (bits === 16 ? (i * 2_657) % 65_536 : (i * 37) % 2 ** bits);
const colourOf = (index: number) => [index % 256, (index * 3 + 40) % 256, 255 - (index % 256)];

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
function expected({ colourType, samples, bits, isClear }: Case): Image {
  const most = 2 ** bits - 1;
  const full = bits === 16 ? 65_535 : 255;
  const data = Array.from({ length: pixels }, (_, pixel) => {
    const stored = Array.from({ length: samples }, (_, c) => valueAt(pixel * samples + c, bits));
    const colour = colourType === 3 ? colourOf(stored[0] ?? 0) : stored.map((value) => (value * full) / most);
    if (!isClear || colourType > 3) return colour;
    const isHidden = colourType === 3 ? stored[0] === 0 : stored.every((value) => value === 0);
    return [...colour, isHidden ? 0 : full];
  }).flat();
  const samplesOut = bits === 16 ? Uint16Array.from(data) : Uint8Array.from(data);
  return { ...size, channels: (data.length / pixels) as Image['channels'], data: samplesOut };
}

function makeFile({ colourType, samples, bits, isClear }: Case): Buffer {
  const palette = Buffer.from(Array.from({ length: 2 ** bits }, (_, i) => colourOf(i)).flat());
  // Grey and RGB: the colour 0 is transparent; palettes: the first entry.
  const clear = Buffer.alloc(colourType === 3 ? 1 : samples * 2);
  const chunks = [
    ...(colourType === 3 ? [pngChunk('PLTE', palette)] : []),
    ...(isClear && colourType < 4 ? [pngChunk('tRNS', clear)] : []),
  ];
  return makePngFile({ ...size, colourType, bits, rows: pack(samples, bits), chunks });
}

describe('every kind of PNG', () => {
  it.each(cases)('colour type $colourType of $bits bits, a transparent colour: $isClear', async (one) => {
    const file = makeFile(one);
    const wanted = expected(one);
    const isGrey = one.colourType === 0 || one.colourType === 4;
    expect(await inspect(file)).toMatchObject({
      ...size,
      channels: wanted.channels,
      space: isGrey ? 'grey' : 'rgb',
      isPalette: one.colourType === 3,
      bitDepth: one.colourType === 3 ? 8 : one.bits,
      hasAlpha: wanted.channels % 2 === 0,
    });
    const { image } = await decodeImage(file);
    expect(image).toEqual(wanted);
  });
});
