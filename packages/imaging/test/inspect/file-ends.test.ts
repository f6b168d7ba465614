import { chown } from 'node:fs/promises';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { makeRandom } from '@uprez/testing/random';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChildResponse, childUser, keepChild } from '../../src/corpus/run-corpus.ts';
import { guardedSharp } from '../../src/decoders.ts';
import { makeBmpFile } from '../hostile/bmp-file.ts';
import { makeTiffFile } from '../hostile/tiff-file.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { makeJobDir, pipelineFor } from '../support/run-job.ts';

const seed = Number(process.env.TEST_SEED ?? 20_261_122);
const cuts = process.env.UPREZ_FULL ? 60 : 4;
const renames = process.env.UPREZ_FULL ? 60 : 3;
/** The child is killed when one answer takes longer. An answer takes milliseconds, but the machine may be busy. */
const limitMs = 20_000;
const growthBytes = 300 * 1024 * 1024;

const photo = makePhoto({ width: 24, height: 18 });
const animate = async (format: 'gif' | 'webp') => {
  const frame = await encodeAs(photo, 'png');
  return guardedSharp([frame, frame], { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
};

type Place = { at: number; length: number };
/** `name`: the type or size of the last part of the file. The file is cut from there on, and its bytes are changed. */
type Format = { make: () => Promise<Buffer>; names: (file: Buffer) => Place[] };

const fromEnd = (back: number, length: number) => (file: Buffer) => [{ at: file.length - back, length }];
const riffNames = (file: Buffer): Place[] => {
  let last = 12;
  for (let at = 12; at + 8 <= file.length; at += 8 + file.readUInt32LE(at + 4) + (file.readUInt32LE(at + 4) % 2))
    last = at;
  return [
    { at: 4, length: 4 },
    { at: last, length: 4 },
    { at: last + 4, length: 4 },
  ];
};
const tiffNames = (file: Buffer): Place[] => {
  let at = file.readUInt32LE(4);
  const linkOf = (directory: number) => directory + 2 + file.readUInt16LE(directory) * 12;
  while (file.readUInt32LE(linkOf(at)) > 0) at = file.readUInt32LE(linkOf(at));
  return [
    { at, length: 2 },
    { at: linkOf(at), length: 4 },
  ];
};
const boxNames = (file: Buffer): Place[] => {
  let last = 0;
  for (let at = 0; at + 8 <= file.length; at += Math.max(8, file.readUInt32BE(at))) last = at;
  return [
    { at: last, length: 4 },
    { at: last + 4, length: 4 },
  ];
};
const white = { width: 4, height: 4, photometric: 1, samples: 1, bits: 8, data: new Uint8Array(16).fill(255) };

const formats: Record<string, Format> = {
  JPEG: { make: () => encodeAs(photo, 'jpeg'), names: fromEnd(2, 2) },
  'progressive JPEG': { make: () => toSharp(photo).jpeg({ progressive: true }).toBuffer(), names: fromEnd(2, 2) },
  PNG: { make: () => encodeAs(photo, 'png'), names: fromEnd(8, 4) },
  'interlaced PNG': { make: () => toSharp(photo).png({ progressive: true }).toBuffer(), names: fromEnd(8, 4) },
  WebP: { make: () => encodeAs(photo, 'webp'), names: riffNames },
  'animated WebP': { make: () => animate('webp'), names: riffNames },
  GIF: { make: () => toSharp(photo).gif().toBuffer(), names: fromEnd(1, 1) },
  'animated GIF': { make: () => animate('gif'), names: fromEnd(1, 1) },
  TIFF: { make: () => toSharp(photo).tiff({ compression: 'lzw' }).toBuffer(), names: tiffNames },
  'TIFF of several pages': { make: async () => makeTiffFile({ ...white, pages: 3 }), names: tiffNames },
  BMP: {
    make: async () => makeBmpFile(photo, { bits: 24 }, ([r = 0, g = 0, b = 0]) => (r << 16) | (g << 8) | b),
    names: fromEnd(4, 4),
  },
  AVIF: { make: () => toSharp(photo).avif({ effort: 0 }).toBuffer(), names: boxNames },
};

/** Copies of a file that end early, or whose last part has another type, length, or link. */
function damageEnd(file: Buffer, names: Place[], random: (limit: number) => number): Buffer[] {
  const start = Math.max(0, Math.max(...names.map(({ at }) => at)) - 16);
  const ends = Array.from({ length: cuts }, () => start + random(file.length - start));
  const renamed = names.flatMap(({ at, length }) =>
    [Buffer.alloc(length), Buffer.alloc(length, 255), ...Array.from({ length: renames })].map((filler) => {
      const copy = Buffer.from(file);
      if (filler instanceof Buffer) filler.copy(copy, at);
      else copy[at + random(length)] = random(256);
      return copy;
    }),
  );
  const last = names.at(-1)?.at ?? file.length;
  return [...ends, last, file.length - 1].map((end) => file.subarray(0, end)).concat(renamed);
}

describe(`files with a damaged end (TEST_SEED=${seed})`, () => {
  const memoryBytes = 1024 * 1024 * 1024;
  const inspector = keepChild({ name: 'inspect/child', options: {}, memoryBytes });
  const options = { engines: ['standard'], modelsDir: '/nonexistent', threads: 1 };
  const engine = keepChild({ name: 'engine/child', options, memoryBytes });
  let plainBytes = 0;

  const inspect = async (file: Buffer): Promise<ChildResponse> =>
    (await inspector.get()).ask({
      message: { type: 'inspect', runId: 'end', sizeBytes: file.length },
      bytes: file,
      limitMs,
    });
  const run = async (file: Buffer, pipeline: ImagePipeline): Promise<ChildResponse> => {
    const { dir, remove } = await makeJobDir(file);
    try {
      if (childUser) await chown(dir, childUser.uid, childUser.gid);
      return await (await engine.get()).ask({ message: { type: 'run', runId: 'end', pipeline, dir }, limitMs });
    } finally {
      await remove();
    }
  };
  /** Peak memory of both children over one file. Fails when one of them died or an error is not a rejection. */
  async function peakOf(file: Buffer): Promise<number> {
    const inspected = await inspect(file);
    if ('died' in inspected) throw new Error(`inspection: ${inspected.died}`);
    if (inspected.said.type === 'failed') return inspected.peakBytes;
    const made = await run(file, await pipelineFor(file, { scaleFactor: 1 }));
    if ('died' in made) throw new Error(`engine: ${made.died}`);
    if (made.said.type === 'failed') expect(['corrupt_image', 'unsupported_format']).toContain(made.said.code);
    return Math.max(inspected.peakBytes, made.peakBytes);
  }

  beforeAll(async () => {
    plainBytes = await peakOf(await encodeAs(photo, 'png'));
  });
  afterAll(async () => {
    await Promise.all([inspector.close(), engine.close()]);
  });

  it.each(Object.entries(formats))(
    'accepts or rejects %s within the limits of time and memory',
    async (_name, format) => {
      const random = makeRandom(seed);
      const file = await format.make();
      expect((await inspect(file)) as object).toMatchObject({ said: { type: 'inspected' } });
      for (const damaged of damageEnd(file, format.names(file), random)) {
        const where = damaged.toString('base64');
        const peak = await peakOf(damaged).catch((error: Error) => expect.fail(`${error.message}: ${where}`));
        expect(peak - plainBytes, where).toBeLessThan(growthBytes);
      }
    },
  );
});
