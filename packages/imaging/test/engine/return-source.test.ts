import { freeNotes } from '@uprez/contracts/policy/free-jobs';
import { describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { readResolution } from '../../src/engine/metadata/select-metadata.ts';
import { makeExif, secrets } from '../hostile/exif-block.ts';
import { toSharp } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';

const photo = makePhoto({ width: 60, height: 40 });
const optimize = { scaleFactor: 1, format: 'auto', neverLarger: true } as const;
const exif = makeExif({ artist: 'Ada Able', copyright: 'Ada Able' });

/** A JPEG of low quality, which a new file of quality 95 exceeds. */
const small = await toSharp(photo).jpeg({ quality: 40 }).toBuffer();
const segment = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]);
const head = Buffer.from([0xff, 0xe1, (segment.length + 2) >> 8, (segment.length + 2) & 0xff]);
const tagged = Buffer.concat([small.subarray(0, 2), head, segment, small.subarray(2)]);

describe('a job that must not make the file larger', () => {
  it('returns the bytes of the source and says that nothing was charged', async () => {
    const { result, report } = await processFile(small, optimize);
    expect(result.equals(small)).toBe(true);
    expect(report).toMatchObject({
      ...{ format: 'jpeg', sizeBytes: small.length, sha256: report.source.sha256, quality: null },
      ...{ freeReason: 'original', notes: [freeNotes.original], fidelity: { score: 100 } },
    });
  });

  it('returns the source without its metadata', async () => {
    const { result, report } = await processFile(tagged, optimize);
    expect(report.freeReason).toBe('original');
    expect(result.length).toBeLessThan(tagged.length);
    for (const text of ['Ada Able', ...Object.values(secrets)]) expect(result.includes(text), text).toBe(false);
    expect(await guardedSharp(result).metadata()).toMatchObject({ width: 60, height: 40, orientation: 3 });
  });

  it('returns the source with its print resolution only if it is to be kept', async () => {
    const jfif = Buffer.from([0xff, 0xe0, 0, 16, ...Buffer.from('JFIF\0'), 1, 2, 1, 1, 44, 1, 44, 0, 0]);
    const printed = Buffer.concat([small.subarray(0, 2), jfif, small.subarray(2)]);
    expect(readResolution(printed, 'jpeg')).toEqual({ x: 300, y: 300 });
    const bare = await processFile(printed, optimize);
    expect(bare.report).toMatchObject({ freeReason: 'original', sizeBytes: printed.length });
    expect(readResolution(bare.result, 'jpeg')).toBeUndefined();
    const kept = await processFile(printed, { ...optimize, metadata: 'copyright' });
    expect(kept.result.equals(printed)).toBe(true);
  });

  it('returns the source as it is when everything was to be kept', async () => {
    const { result } = await processFile(tagged, { ...optimize, metadata: 'all', gps: true });
    expect(result.equals(tagged)).toBe(true);
  });

  it.each(['copyright', 'all'] as const)(
    'makes a new file when only a part of the metadata stays: %s',
    async (metadata) => {
      const { result, report } = await processFile(tagged, { ...optimize, metadata });
      expect(report.freeReason).toBeUndefined();
      expect(result.includes('Ada Able')).toBe(true);
      expect(result.includes(secrets.place)).toBe(false);
    },
  );

  it('returns a WebP that is smaller than the JPEG that Auto makes', async () => {
    const webp = await toSharp(photo).webp({ quality: 30 }).toBuffer();
    const { result, report } = await processFile(webp, optimize);
    expect(result.equals(webp)).toBe(true);
    expect(report).toMatchObject({ format: 'webp', freeReason: 'original' });
  });

  it('delivers a smaller file', async () => {
    const large = await toSharp(photo).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
    const { result, report } = await processFile(large, { ...optimize, quality: 60 });
    expect(result.length).toBeLessThan(large.length);
    expect(report).not.toHaveProperty('freeReason');
  });
});
