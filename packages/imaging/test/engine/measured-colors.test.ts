import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeEncoding, toLinear } from '../../src/color/encoding.ts';
import { gamuts, p3Gamut } from '../../src/color/gamut.ts';
import { guardedSharp } from '../../src/decoders.ts';
import { makeProfile } from '../../src/engine/color/apply-color.ts';
import { measureColors } from '../../src/engine/steps/measure-colors.ts';
import { makeTiffFile } from '../hostile/tiff-file.ts';
import { chroma, chromaticities, cicp, flatAvif, flatPng, gama } from '../support/color-files.ts';
import { iccp } from '../support/icc-files.ts';
import { pipelineFor, processFile } from '../support/run-job.ts';

const color = [190, 90, 70];
const p3 = makeProfile(makeEncoding(p3Gamut, toLinear));
const bt2020 = makeProfile(makeEncoding(gamuts[9] ?? [], toLinear));

/** A TIFF with a profile, and a channel that libvips takes as transparency. */
function maskedTiff() {
  const data = Uint8Array.from({ length: 256 * 4 }, (_, i) => color[i % 4] ?? 0);
  const entries: [number, number, number[]][] = [[34_675, 7, [...p3]]];
  return makeTiffFile({ width: 16, height: 16, photometric: 2, samples: 4, bits: 8, data, entries });
}

const sources: [title: string, file: () => Buffer | Promise<Buffer>][] = [
  ['a profile of Display P3', () => flatPng(color, [iccp(p3)])],
  ['code points of Display P3', () => flatPng(color, [cicp(12, 13)])],
  ['chromaticities of Adobe RGB', () => flatPng(color, [gama(45_455), chromaticities(...chroma.adobe)])],
  ['a TIFF of Display P3 with a mask', () => maskedTiff()],
  ['linear light', () => flatPng(color, [gama(100_000)])],
  ['an AVIF of Display P3', () => flatAvif(color, [12, 13])],
];

describe('the color difference of a receipt', () => {
  it.each(sources)('is about 0 for %s in all formats and sizes', async (_title, make) => {
    const file = await make();
    for (const format of ['png', 'webp', 'gif'] as const)
      for (const scaleFactor of [0.5, 2]) {
        const { report } = await processFile(file, { format, scaleFactor });
        expect(report.colorDifference?.worst, `${format} at ${scaleFactor}`).toBeLessThan(0.6);
      }
  });
});

/** Measures a result against a flat source of Display P3. */
async function measure(result: Buffer): Promise<number | undefined> {
  const file = flatPng(color, [iccp(p3)]);
  const pipeline = await pipelineFor(file, { format: 'png', scaleFactor: 1 });
  const dir = await mkdtemp(join(tmpdir(), 'uprez-colors-test-'));
  try {
    await writeFile(join(dir, 'result'), result);
    const { data, info } = await guardedSharp(file, { ignoreIcc: true }).raw().toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const length = 3 * width;
    const readRows = async (y: number, count: number) => data.subarray(y * length, (y + count) * length);
    const rows = async () => ({ width, height, channels: 3, depth: 8 as const, readRows });
    const measured = await measureColors({
      ...{ pipeline, file, keepsSamples: true, result: join(dir, 'result'), icc: p3 },
      ...{ decoded: rows, pixels: rows, path: join(dir, 'plain.v') },
    });
    return measured?.meanDeltaE;
  } finally {
    await rm(dir, { recursive: true });
  }
}

describe('measureColors', () => {
  it('finds no difference when a result has the right profile, or code points of the same colors', async () => {
    expect(await measure(flatPng(color, [iccp(p3)]))).toBe(0);
    expect(await measure(flatPng(color, [cicp(12, 13)]))).toBeLessThan(0.1);
  });

  it('finds a result whose profile is missing, or that of other colors', async () => {
    expect(await measure(flatPng(color, []))).toBeGreaterThan(2);
    expect(await measure(flatPng(color, [iccp(bt2020)]))).toBeGreaterThan(2);
    expect(await measure(flatPng(color, [iccp(p3), cicp(1, 13)]))).toBeGreaterThan(2);
  });
});
