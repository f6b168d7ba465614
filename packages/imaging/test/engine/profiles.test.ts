import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeEncoding, toLinear } from '../../src/color/encoding.ts';
import { p3Gamut } from '../../src/color/gamut.ts';
import { guardedSharp } from '../../src/decoders.ts';
import { applyColor, makeProfile } from '../../src/engine/color/apply-color.ts';
import { decodeNotes } from '../../src/engine/steps/decode-notes.ts';
import { hasDamagedProfile } from '../../src/inspect/read-source-color.ts';
import { pngChunk } from '../hostile/png-file.ts';
import { chroma, chromaticities, cicp, flatAvif, flatPng, gama, srgbChunk } from '../support/color-files.ts';
import { writeTags } from '../support/exiftool.ts';
import { expectShown } from '../support/expect-shown.ts';
import { curv, greyIcc, iccp, para } from '../support/icc-files.ts';

const brown = [200, 80, 60];
const p3 = makeProfile(makeEncoding(p3Gamut, toLinear));
const withoutSignature = Buffer.from(p3).fill('x', 36, 40);

describe('a damaged profile of a PNG', () => {
  it.each([
    ['is not compressed', Buffer.from('broken')],
    ['is cut off', iccp(p3.subarray(0, 300)).subarray(8, -4)],
    ['has no signature', iccp(withoutSignature).subarray(8, -4)],
  ])('counts as missing when it %s', async (_title, data) => {
    const profile = pngChunk('iCCP', data);
    for (const [wanted, chunks] of [
      [[229, 152, 133], [gama(100_000)]],
      [
        [218, 67, 47],
        [gama(45_455), chromaticities(...chroma.p3)],
      ],
      [brown, [srgbChunk, gama(100_000)]],
      [brown, []],
    ] as const) {
      const { notes } = await expectShown(flatPng(brown, [profile, ...chunks]), [...wanted]);
      expect(notes).toEqual([decodeNotes.profileUnusable]);
    }
    expect((await expectShown(flatPng(brown, [cicp(12, 13), profile]), [216, 69, 50])).notes).toEqual([]);
  });

  it('has a note when it is for another color space, and other descriptions do not count, as in browsers', async () => {
    const file = flatPng([55], [iccp(p3), gama(100_000)], { colorType: 0 });
    expect((await expectShown(file, [55, 55, 55])).notes).toEqual([decodeNotes.profileUnusable]);
  });
});

it('has a note when the profile of an AVIF is damaged, and its code points count instead', async () => {
  const linear = await flatAvif(brown, [1, 8], p3);
  // A profile precedes code points.
  await expectShown(linear, [216, 69, 50]);
  linear.fill('x', linear.indexOf(p3.subarray(36, 60)), linear.indexOf(p3.subarray(36, 60)) + 4);
  expect((await expectShown(linear, [229, 152, 133])).notes).toEqual([decodeNotes.profileUnusable]);
});

describe('the profile of a gray PNG', () => {
  it.each([
    ['linear light', 128, curv([])],
    ['an exponent', 71, curv([1.8 * 256])],
    ['a table', 128, curv([0, 32_768, 65_535])],
    ['the function of an exponent', 128, para(0, [1])],
    ['a function that is zero at first', 101, para(1, [1, 2, -0.3])],
    ['a function with an offset', 98, para(2, [1, 0.5, 0.01, 0.003_9])],
    ['the function of sRGB', 55, para(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.040_45])],
    ['a line of an offset', 75, para(4, [1, 1, 0, 0.25, 0.5, 0, 0.017])],
  ])('is applied with %s', async (_, wanted, curve) => {
    const file = flatPng([55], [iccp(greyIcc(curve))], { colorType: 0 });
    for (const format of ['png', 'webp'] as const) {
      const { notes } = await expectShown(file, Array(3).fill(wanted), { format, quality: 95 });
      expect(notes).toEqual([]);
    }
  });

  /** A profile with a table from samples to the same lightness L*, of 8 bits (ICC.1:2022, 10.11). */
  function makeTableIcc(): Buffer {
    const ramp = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const table = Buffer.concat([Buffer.alloc(48), ramp, Buffer.of(0, 128, 128, 255, 128, 128), ramp, ramp, ramp]);
    table.write('mft1', 'latin1');
    table.set([1, 3, 2], 8);
    for (const at of [12, 28, 44]) table.writeUInt32BE(65_536, at);
    const icc = greyIcc(table, 'A2B0');
    icc.write('Lab ', 20, 'latin1');
    return icc;
  }

  it('has even steps of 16 bits when it has a table', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'uprez-profiles-test-'));
    try {
      const samples = Uint16Array.from({ length: 6_000 }, (_, i) => 16_384 + 8 * i);
      const rows = { width: 6_000, height: 1, channels: 1, depth: 16, read: async () => samples } as const;
      const applied = await applyColor({
        rows,
        color: { kind: 'embedded' },
        profile: makeTableIcc(),
        path: join(dir, 'x'),
      });
      const shown = await applied.rows.read(1);
      const steps = Array.from(shown.subarray(1), (sample, i) => sample - (shown[i] as number));
      expect(Math.min(...steps)).toBeGreaterThan(0);
      const changes = steps.slice(1).map((step, i) => Math.abs(step - (steps[i] as number)));
      expect(Math.max(...changes)).toBeLessThanOrEqual(2);
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  it('is applied when it has a table instead of a curve', async () => {
    const icc = makeTableIcc();
    for (const [pixel, kind] of [
      [[128], { colorType: 0 }],
      [[128 * 257], { colorType: 0, bits: 16 }],
    ] as const) {
      const { notes } = await expectShown(flatPng([...pixel], [iccp(icc)], kind), [119, 119, 119]);
      expect(notes).toEqual([]);
    }
  });

  it.each([
    ['gray', greyIcc(curv([]))],
    ['colors', p3],
  ])('is damaged when it has no tags: %s', (_, profile) => {
    const icc = Buffer.from(profile);
    const place = { icc: { start: 0, end: icc.length } };
    expect(hasDamagedProfile(icc, place)).toBe(false);
    icc.writeUInt32BE(0, 128);
    expect(hasDamagedProfile(icc, place)).toBe(true);
  });

  it.each([
    ['is damaged', Buffer.from('broken')],
    ['has an exponent of 0', curv([0])],
    ['has a function with an exponent of 0', para(0, [0])],
    ['has a function of a constant', para(1, [1, 0, 0.5])],
    ['has an unknown function', para(5, [1])],
    ['has a function that is cut off', para(4, [1])],
  ])('counts as missing when it %s', async (_, curve) => {
    const file = flatPng([55], [iccp(greyIcc(curve))], { colorType: 0 });
    expect((await expectShown(file, [55, 55, 55])).notes).toEqual([decodeNotes.profileUnusable]);
  });
});

describe('the gray profile of a photo', () => {
  const linear = greyIcc(curv([]));
  it.each([8, 16] as const)('is applied to a TIFF and a JPEG of %i bits in all formats', async (depth) => {
    const samples = depth === 8 ? new Uint8Array(256).fill(55) : new Uint16Array(256).fill(55 * 257);
    const gray = guardedSharp(samples, { raw: { width: 16, height: 16, channels: 1 } });
    const image = gray.toColorspace(depth === 8 ? 'b-w' : 'grey16');
    for (const kind of ['tiff', 'jpeg'] as const) {
      const plain = await image
        .clone()
        [kind]({ compression: 'none' } as never)
        .toBuffer();
      const file = await writeTags(plain, [], { ICC_Profile: linear });
      for (const format of ['png', 'webp', 'avif'] as const) {
        const { notes } = await expectShown(file, [128, 128, 128], { format, scaleFactor: 1, quality: 95 });
        expect(notes.filter((note) => note !== decodeNotes.bitsReduced)).toEqual([]);
      }
    }
  });
});
