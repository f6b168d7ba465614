import { freeNotes } from '@uprez/contracts/policy/free-jobs';
import { describe, expect, it } from 'vitest';
import { writeJxlContainer } from '../../src/engine/jxl/write-jxl.ts';
import { decodeNotes } from '../../src/engine/steps/decode-notes.ts';
import { auxC, box, type HeifItem, ispe, makeHeif, tileOf, u16, u32 } from '../hostile/heif-file.ts';
import { jxlFixture } from '../hostile/jxl-file.ts';
import { readTags } from '../support/exiftool.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { makeImage, makePhoto } from '../support/images.ts';
import { insertSegments, segment, xmpSegment } from '../support/metadata-blocks.ts';
import { processFile } from '../support/run-job.ts';

const photo = await toSharp(makePhoto({ width: 48, height: 32 }))
  .jpeg({ quality: 40 })
  .toBuffer();
const map = await encodeAs(
  makeImage({ width: 24, height: 16, channels: 1 }, (x) => [x * 10]),
  'jpeg',
);

const describeBy = (attributes: string) =>
  xmpSegment(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${attributes}/></rdf:RDF></x:xmpmeta>`,
  );
const ultraHdr = describeBy(
  'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMax="3"',
);
const apple = describeBy('xmlns:h="http://ns.apple.com/HDRGainMap/1.0/" h:HDRGainMapVersion="65536"');
const iso = segment(0xe2, Buffer.from('urn:iso:std:iso:ts:21496:-1\0\0\0\0\0', 'latin1'));

const mpfEntry = (attributes: number, size: number, offset: number) =>
  Buffer.concat([u32(attributes, size, offset), Buffer.alloc(4)]);
const field = ([tag, type, count]: [number, number, number], value: Buffer) =>
  Buffer.concat([u16(tag, type), u32(count), value]);

/** Returns a segment that lists two images (CIPA DC-007). `offset`: start of the second one, counted from the TIFF header. */
function mpfSegment(sizes: [number, number], offset: number): Buffer {
  const directory = [
    field([0xb000, 7, 4], Buffer.from('0100')),
    field([0xb001, 4, 1], u32(2)),
    field([0xb002, 7, 32], u32(50)),
  ];
  const head = [Buffer.from('MPF\0MM\0*', 'latin1'), u32(8), u16(directory.length), ...directory, u32(0)];
  return segment(0xe2, Buffer.concat([...head, mpfEntry(0x30000, sizes[0], 0), mpfEntry(0, sizes[1], offset)]));
}

/** Returns a photo with a second image after it, as phones store gain maps. */
function joinImages(own: Buffer[], second: Buffer): Buffer {
  const [length, tiffAt] = [mpfSegment([0, 0], 0).length, 8];
  const size = photo.length + Buffer.concat(own).length + length;
  const mpf = mpfSegment([size, second.length], size - 2 - tiffAt);
  return Buffer.concat([insertSegments(photo, mpf, ...own), second]);
}

const tile = (name: 'photo' | 'grey', more: Partial<HeifItem> = {}): HeifItem => {
  const { config, data } = tileOf(name);
  return { type: 'hvc1', data, ...more, properties: [box('hvcC', config), ispe(64, 64), ...(more.properties ?? [])] };
};
const auxiliary = (urn: string) => tile('grey', { properties: [auxC(urn)], links: [['auxl', 1]] });
const derived: HeifItem = { type: 'tmap', data: Buffer.alloc(62), properties: [ispe(64, 64)], to: [1, 2] };
const jxl = writeJxlContainer({ codestream: jxlFixture('profile'), xmp: '<x/>' });

const notesOf = async (file: Buffer) => (await processFile(file, { scaleFactor: 1, format: 'png' })).report.notes;

describe('a gain map', () => {
  it.each([
    ['of Ultra HDR', joinImages([ultraHdr], insertSegments(map, ultraHdr))],
    ['of ISO 21496-1 in a JPEG', joinImages([iso], insertSegments(map, iso))],
    ['of Apple in a JPEG', joinImages([], insertSegments(map, apple))],
    ['of Apple in a HEIC', makeHeif({ items: [tile('photo'), auxiliary('urn:com:apple:photo:2020:aux:hdrgainmap')] })],
    ['of ISO 21496-1 in a HEIC', makeHeif({ items: [tile('photo'), tile('grey'), derived] })],
    ['of a JPEG XL', Buffer.concat([jxl, box('jhgm', Buffer.alloc(8))])],
  ])('is named in the receipt: %s', async (_, file) => {
    expect(await notesOf(file)).toContain(decodeNotes.gainMap);
  });

  it.each([
    ['an image whose gain map was removed', insertSegments(photo, ultraHdr, iso)],
    ['two images of other kinds', joinImages([], map)],
    ['a HEIC with a depth map', makeHeif({ items: [tile('photo'), auxiliary('urn:mpeg:hevc:2015:auxid:2')] })],
    ['a JPEG XL', jxl],
  ])('is not named for %s', async (_, file) => {
    expect(await notesOf(file)).not.toContain(decodeNotes.gainMap);
  });

  it('is in a file that ExifTool reads as two images', async () => {
    const [tags = {}] = await readTags([joinImages([ultraHdr], insertSegments(map, ultraHdr))]);
    expect(tags['MPF0:NumberOfImages']).toBe('2');
    expect(Number(tags['MPImage2:MPImageStart'])).toBeGreaterThan(photo.length);
  });

  it('is named when the image itself is the result, unless it still has it', async () => {
    const file = joinImages([ultraHdr], insertSegments(map, ultraHdr));
    const optimize = { scaleFactor: 1, format: 'auto', neverLarger: true, quality: 100 } as const;
    const stripped = await processFile(file, optimize);
    expect(stripped.report.notes).toEqual([freeNotes.original, decodeNotes.gainMap]);
    const kept = await processFile(file, { ...optimize, metadata: 'all', gps: true });
    expect(kept.result.equals(file)).toBe(true);
    expect(kept.report.notes).toEqual([freeNotes.original]);
  });
});
