import { readdir } from 'node:fs/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { describe, expect, it } from 'vitest';
import { runPipeline } from '../../src/engine/run-pipeline.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { makePngFile } from '../hostile/png-file.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { makeJobDir, pipelineFor, processFile, runJob } from '../support/run-job.ts';

async function failure(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${error}`);
  return error;
}

const photo = makePhoto({ width: 120, height: 90 });

function renameEnd(png: Buffer, name: string): Buffer {
  png.write(name, png.length - 8, 'latin1');
  return png;
}

describe('inspect', () => {
  const files: [string, () => Promise<Buffer> | Buffer][] = [
    ['a PNG cut in its header', async () => (await encodeAs(photo, 'png')).subarray(0, 20)],
    ['a JPEG cut in its header', async () => (await encodeAs(photo, 'jpeg')).subarray(0, 100)],
    ['a WebP cut in its header', async () => (await encodeAs(photo, 'webp')).subarray(0, 22)],
    ['a GIF cut in its pixels', async () => (await toSharp(photo).gif().toBuffer()).subarray(0, 2_000)],
    ['a TIFF cut in its header', () => Buffer.from('II*\0\x08\0\0\0', 'latin1')],
    ['a PNG of no width', () => makePngFile({ width: 0, height: 10 })],
    ['a PNG without an IEND chunk', async () => (await encodeAs(photo, 'png')).subarray(0, -12)],
    ['a PNG whose IEND chunk is named wEND', async () => renameEnd(await encodeAs(photo, 'png'), 'wEND')],
    ['a PNG whose IEND chunk is named IdND', async () => renameEnd(await encodeAs(photo, 'png'), 'IdND')],
  ];
  it.each(files)('rejects %s', async (_name, make) => {
    const error = await failure(inspect(await make()));
    expect(error.code).toBe('corrupt_image');
    expect(error.message).toMatch(/^[A-Z].*\.$/);
  });

  it('accepts a PNG with bytes after its IEND chunk', async () => {
    const file = Buffer.concat([await encodeAs(photo, 'png'), Buffer.from('trailing bytes')]);
    expect(await inspect(file)).toMatchObject({ width: 120, height: 90 });
  });

  it('accepts an image at the limits', async () => {
    const file = makePngFile({ width: 32_767, height: 3_051 });
    expect(await inspect(file)).toMatchObject({ width: 32_767, height: 3_051, channels: 1 });
  });
});

describe('the engine rejects', () => {
  it('a PNG with a changed byte in its pixels', async () => {
    const file = await encodeAs(photo, 'png');
    file.writeUInt8(file.readUInt8(600) ^ 0xff, 600);
    expect((await failure(processFile(file))).code).toBe('corrupt_image');
  });

  it('a header that declares more pixels than the file has', async () => {
    const file = makePngFile({ width: 3_000, height: 2_000, rows: Buffer.alloc(5 * 3_001) });
    expect((await failure(processFile(file))).code).toBe('corrupt_image');
  });

  it('another image than that of the pipeline', async () => {
    const pipeline = await pipelineFor(await encodeAs(photo, 'png'));
    const others = [
      await encodeAs(makePhoto({ width: 121, height: 90 }), 'png'),
      await toSharp(photo).png({ progressive: true }).toBuffer(),
      await toSharp(photo).withIccProfile('p3').png().toBuffer(),
    ];
    for (const other of others) {
      const error = await failure(runJob(other, pipeline));
      expect(error.code).toBe('processing_crashed');
      expect(error.meta).toHaveProperty('fact');
    }
  });

  it('a pipeline with a crop outside the image or too many frames', async () => {
    const file = await encodeAs(photo, 'png');
    const pipeline = await pipelineFor(file, { width: 50, height: 50, fit: 'cover' });
    const wide = { ...pipeline, crop: { left: 60, top: 0, width: 61, height: 90 } };
    expect((await failure(runJob(file, wide))).code).toBe('processing_crashed');
    const long = { ...pipeline, output: { ...pipeline.output, frames: 2 } };
    expect((await failure(runJob(file, long))).code).toBe('processing_crashed');
  });

  it('and deletes intermediate files', async () => {
    const file = await encodeAs(photo, 'jpeg');
    const pipeline = await pipelineFor(file);
    const { dir, remove } = await makeJobDir(file.subarray(0, Math.floor(file.length * 0.6)));
    const signal = new AbortController().signal;
    await failure(runPipeline({ pipeline, dir, networks: {}, signal, onProgress: () => {} }));
    expect(await readdir(dir)).toEqual(['source']);
    await remove();
  });
});
