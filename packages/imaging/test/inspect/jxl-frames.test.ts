import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { describe, expect, it } from 'vitest';
import { inspect, inspectRanges } from '../../src/inspect/inspect.ts';
import { openFrameWalk, type WalkedFrame } from '../../src/jxl/frames/walk-frames.ts';
import { splitJxlContainer } from '../../src/jxl/open-container.ts';
import { makeJxlOfFrames } from '../hostile/costly/jxl.ts';
import { box, u32 } from '../hostile/heif-file.ts';
import { jxlFixture, jxlFrameOf, jxlWithPreview } from '../hostile/jxl-file.ts';
import { pipelineFor } from '../support/run-job.ts';

const anyStep = () => true;

function walk(file: Buffer) {
  const { run, found } = openFrameWalk(file, { take: anyStep });
  run();
  return found();
}

const [regular, small] = [0, 1];
const frame = (facts: Partial<WalkedFrame>) =>
  expect.objectContaining({ kind: regular, passes: 1, sections: 1, ...facts });

const signature = Buffer.concat([
  u32(12),
  Buffer.from('JXL \r\n\x87\n', 'latin1'),
  box('ftyp', Buffer.from('jxl \0\0\0\0jxl ')),
]);

/** The codestream in parts of `size` bytes, with `between` after each. */
function inParts(codestream: Buffer, size: number, between: Buffer): Buffer {
  const count = Math.ceil(codestream.length / size);
  const parts = Array.from({ length: count }, (_, i) => [
    box('jxlp', Buffer.concat([u32(i), codestream.subarray(i * size, (i + 1) * size)])),
    between,
  ]);
  return Buffer.concat([signature, ...parts.flat()]);
}

describe('the frames of a JPEG XL', () => {
  it.each([
    ['photo', [frame({ isModular: true, width: 64, height: 48 })]],
    ['alpha', [frame({ isModular: true, width: 64, height: 48 })]],
    ['lossy', [frame({ isModular: false, width: 64, height: 48 })]],
    ['primaries', [frame({ isModular: false, width: 64, height: 48 })]],
    ['profile', [frame({ isModular: true, width: 64, height: 48 })]],
    ['large-profile', [frame({ isModular: true, width: 64, height: 48 })]],
    ['repeats', [frame({ isModular: true, width: 64, height: 48 })]],
    ['turned', [frame({ isModular: false, width: 64, height: 48 })]],
    ['order', [frame({ isModular: true, width: 520, height: 260, sections: 9 })]],
    [
      'progressive',
      [
        frame({ kind: small, isModular: true, width: 8, height: 6 }),
        frame({ isModular: false, width: 64, height: 48, passes: 2, sections: 5 }),
      ],
    ],
    [
      'layers',
      [
        frame({ isModular: true, width: 64, height: 48 }),
        frame({ isModular: true, width: 32, height: 24 }),
        frame({ isModular: true, width: 32, height: 24 }),
      ],
    ],
    [
      'channels',
      [frame({ isModular: false, width: 64, height: 48 }), frame({ isModular: false, width: 32, height: 24 })],
    ],
    [
      'animation',
      [
        frame({ isModular: true, width: 32, height: 24 }),
        ...Array(4).fill(frame({ isModular: true, width: 16, height: 12 })),
      ],
    ],
  ] as const)('are found up to the end of its codestream: %s.jxl', (name, frames) => {
    const file = jxlFixture(name);
    const found = walk(file);
    expect(found).toMatchObject({ frames, isUnclear: false });
    expect(found.end).toBe(splitJxlContainer(file, anyStep).codestream.length);
  });

  it('include its preview', () => {
    const found = walk(jxlWithPreview());
    expect(found).toMatchObject({
      frames: [frame({ isModular: false, width: 64, height: 48 }), frame({ isModular: false, width: 64, height: 48 })],
      isUnclear: false,
    });
  });

  it('are found in a codestream of many parts, of which only some bytes are loaded', async () => {
    const file = inParts(makeJxlOfFrames(10), 100, box('free', Buffer.alloc(200_000)));
    const read = async (from: number, length: number) => file.subarray(from, from + length);
    expect(walk(file).frames).toHaveLength(11);
    const inspection = await inspectRanges({ sizeBytes: file.length, read });
    expect(inspection).toEqual(await inspect(file));
    expect(inspection.decodedPixels).toBeGreaterThan(2 * 1_024 ** 2);
  });

  it('are found after a header that lies in several parts, whatever is between them', async () => {
    const file = inParts(jxlFixture('alpha'), 3, box('free', Buffer.alloc(3)));
    expect(await inspect(file)).toEqual(await inspect(jxlFixture('alpha')));
  });

  it('are not loaded beyond the last one', async () => {
    const file = Buffer.concat([makeJxlOfFrames(3), Buffer.alloc(5_000_000, 1)]);
    let loaded = 0;
    const read = async (from: number, length: number) => {
      loaded += length;
      return file.subarray(from, from + length);
    };
    await inspectRanges({ sizeBytes: file.length, read });
    expect(loaded).toBeLessThan(100_000);
  });
});

describe('the cost of a JPEG XL', () => {
  const decodedPixels = async (file: Buffer) => (await inspect(file)).decodedPixels;

  const ordinary = ['photo', 'lossy', 'grey', 'deep', 'alpha', 'profile', 'large-profile', 'repeats', 'order'] as const;
  it.each([...ordinary, 'progressive'] as const)('is that of its pixels: %s.jxl', async (name) => {
    const file = Buffer.from(jxlFixture(name));
    const { width, height, decodedPixels: pixels } = await inspect(file);
    expect((pixels ?? 0) - 2_000).toBeLessThan(width * height);
  });

  it('counts all frames, also those that others cover', async () => {
    // Decoding takes 6.5 s.
    const { estimate } = await pipelineFor(makeJxlOfFrames(100), { width: 64, format: 'jpeg' });
    expect(estimate.seconds).toBeGreaterThan(6.5 / 3);
    expect(estimate.seconds).toBeLessThan(6.5 * 3);
  });

  it('counts the frames of a file that is cut off, and no more', async () => {
    const file = makeJxlOfFrames(20);
    const [whole = 0, half = 0] = [await decodedPixels(file), await decodedPixels(file.subarray(0, file.length / 2))];
    expect(half / whole).toBeCloseTo(0.5, 1);
  });

  it('is high where frames are not understood', async () => {
    const file = makeJxlOfFrames(1);
    // An unknown mode of blending.
    const damaged = Buffer.concat([file.subarray(0, 8), Buffer.alloc(200, 0xff)]);
    expect(await decodedPixels(damaged)).toBeGreaterThan(5 * 1_024 ** 2);
  });

  it('is high with a profile that is larger than those of cameras and printers', async () => {
    expect(await decodedPixels(jxlFixture('huge-profile'))).toBe(limits.jxlPixels);
  });

  it.each([
    ['more frames', () => makeJxlOfFrames(limits.jxlFrames)],
    ['frames of more pixels', () => makeJxlOfFrames(950)],
    ['a larger frame', () => jxlFrameOf(20_000)],
    ['a frame of more sections', () => jxlFrameOf(80_000)],
  ])('is refused with %s than encoders write', async (_what, make) => {
    await expect(inspect(make())).rejects.toMatchObject({ code: 'image_too_complex' });
  });

  it('is not estimated with more boxes than real files have', async () => {
    const boxes = Buffer.alloc(8 * limits.inspectionSteps.jxl, box('free', Buffer.alloc(0)));
    const file = Buffer.concat([signature, boxes, box('jxlc', jxlFixture('photo'))]);
    await expect(inspect(file)).rejects.toMatchObject({ code: 'corrupt_image', limitName: 'image_structure' });
  });
});

describe('a damaged JPEG XL', () => {
  const names = ['progressive', 'layers', 'channels', 'animation', 'order', 'repeats', 'profile'] as const;
  const check = (file: Buffer) => {
    try {
      expect(walk(file).end).toBeGreaterThan(0);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect(['corrupt_image', 'image_too_complex']).toContain(error.code);
    }
  };

  it.each(names)('is walked wherever it is cut off: %s.jxl', (name) => {
    const file = jxlFixture(name);
    for (let length = 0; length < Math.min(file.length, 1_000); length++) check(file.subarray(0, length));
  });

  it.each(names)('is walked with each bit of its headers changed: %s.jxl', (name) => {
    const file = jxlFixture(name);
    for (let bit = 0; bit < Math.min(8 * file.length, 3_000); bit++) {
      const copy = Buffer.from(file);
      copy.writeUInt8((copy[bit >> 3] as number) ^ (1 << (bit & 7)), bit >> 3);
      check(copy);
    }
  });
});
