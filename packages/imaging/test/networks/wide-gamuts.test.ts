import { readFile } from 'node:fs/promises';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { applyRecipe } from '@uprez/models/onnx/apply-recipe';
import type { Recipe } from '@uprez/models/onnx/recipe';
import { pullModel } from '@uprez/models/pull-model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labDifference } from '../../src/color/color-difference.ts';
import { type Encoding, makeEncoding, power, toLinear } from '../../src/color/encoding.ts';
import { d50, type Gamut, p3Gamut, toXyzColumns } from '../../src/color/gamut.ts';
import { guardedSharp } from '../../src/decoders.ts';
import { makeProfile } from '../../src/engine/color/apply-color.ts';
import { findRecipe } from '../../src/engine/open-networks.ts';
import { readEncoding } from '../../src/engine/steps/measure-colors.ts';
import { type Network, openNetwork } from '../../src/engine/upscaler/network.ts';
import { makePngFile } from '../hostile/png-file.ts';
import { iccp } from '../support/icc-files.ts';
import { processFile } from '../support/run-job.ts';

const adobeGamut: Gamut = [0.64, 0.33, 0.21, 0.71, 0.15, 0.06, 0.3127, 0.329];
const encodings = {
  'Display P3': makeEncoding(p3Gamut, toLinear),
  'Adobe RGB': makeEncoding(adobeGamut, power(563 / 256)),
};

/** All combinations of these samples, without gray. They include the primaries at the edge of the gamut. */
const levels = [0, 96, 176, 255];
const colors = levels
  .flatMap((r) => levels.flatMap((g) => levels.map((b) => [r, g, b])))
  .filter((color) => new Set(color).size > 1);
/** Each half of a patch is as wide as the blocks in which the engine matches colors. */
const [side, columns, rows] = [32, 10, 6];
const size = { width: side * columns, height: side * rows };

/** Returns a sample of a patch: flat on the left, and with a fine texture on the right. */
function sampleAt(x: number, y: number, channel: number): number {
  const color = colors[Math.floor(y / side) * columns + Math.floor(x / side)] ?? [];
  const texture = x % side < side / 2 ? 1 : 0.88 + 0.12 * Math.sin(1.9 * x) * Math.cos(1.3 * y);
  return Math.round((color[channel] ?? 0) * texture);
}

function makePatches(encoding: Encoding): Buffer {
  const lines = Array.from({ length: size.height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: 3 * size.width }, (_, i) => sampleAt(Math.floor(i / 3), y, i % 3))]),
  );
  return makePngFile({ ...size, colorType: 2, rows: Buffer.concat(lines), chunks: [iccp(makeProfile(encoding))] });
}

type Lab = { l: number; a: number; b: number };

/** Converts linear light of a gamut to CIELAB, relative to D50. */
function toLab(gamut: Gamut, light: number[]): Lab {
  const parts = toXyzColumns(gamut);
  const [x = 0, y = 0, z = 0] = d50.map((white, part) => {
    const value =
      light.reduce((sum, one, c) => sum + one * ((parts[c] as readonly number[])[part] as number), 0) / white;
    return value > 216 / 24_389 ? Math.cbrt(value) : ((24_389 / 27) * value + 16) / 116;
  });
  return { l: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z) };
}

/** Returns the mean colors of the halves of all patches, as the file describes its samples. */
async function readPatches(file: Buffer, factor: number): Promise<Lab[]> {
  const { gamut, curves } = (await readEncoding(file, 'png')) as Encoding;
  const { data, info } = await guardedSharp(file, { ignoreIcc: true }).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: factor * size.width, height: factor * size.height, channels: 3 });
  return colors.flatMap((_, i) =>
    [0, side / 2].map((start) => {
      const [left, top] = [(i % columns) * side + start, Math.floor(i / columns) * side];
      const [width, height] = [(factor * side) / 2, factor * side];
      const light = curves.map((curve, c) => {
        let sum = 0;
        for (let y = factor * top; y < factor * top + height; y++)
          for (let x = factor * left; x < factor * left + width; x++)
            sum += curve((data[(y * info.width + x) * 3 + c] as number) / 255);
        return sum / (width * height);
      });
      return toLab(gamut, light);
    }),
  );
}

let networks: Record<'FP32' | 'INT8', Network>;
beforeAll(async () => {
  const fp32 = await readFile(await pullModel({ modelsDir: modelsDirOfEnvironment(), id: 'photo-fast' }));
  const int8 = applyRecipe(fp32, (await findRecipe('photo-fast')) as Recipe);
  networks = { FP32: await openNetwork(fp32, 2), INT8: await openNetwork(int8, 2) };
});
afterAll(() => Promise.all(Object.values(networks).map((network) => network.close())));

describe.each(Object.entries(encodings))('%s', (_name, encoding) => {
  const file = makePatches(encoding);
  it.each([
    ['FP32', 2],
    ['INT8', 4],
  ] as const)(
    'keeps saturated colors within a difference of 1.0 in %s at a factor of %i',
    async (variant, scaleFactor) => {
      const { result } = await processFile(
        file,
        { engine: 'photo-fast', format: 'png', scaleFactor },
        { networks: { 'photo-fast': networks[variant] } },
      );
      const [wanted, found] = [await readPatches(file, 1), await readPatches(result, scaleFactor)];
      const differences = wanted.map((color, i) => labDifference(color, found[i] as Lab));
      expect(Math.max(...differences)).toBeLessThanOrEqual(1);
    },
  );
});
