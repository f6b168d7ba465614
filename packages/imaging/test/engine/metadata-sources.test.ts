// cspell:ignore ller
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InputFormat, outputFormats } from '@uprez/contracts/policy/images/image-formats';
import { describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { writeJxlContainer } from '../../src/engine/jxl/write-jxl.ts';
import { embedMetadata } from '../../src/engine/metadata/embed/embed-metadata.ts';
import { imageTag, photoTag } from '../../src/engine/metadata/exif/exif-tags.ts';
import { makeTextField } from '../../src/engine/metadata/exif/exif-texts.ts';
import { metadataNotes } from '../../src/engine/metadata/select-metadata.ts';
import { toSelectedXmp } from '../../src/engine/metadata/xmp/select-xmp.ts';
import { writeXmp } from '../../src/engine/metadata/xmp/write-xmp.ts';
import { splitJxlContainer } from '../../src/jxl/open-container.ts';
import { jxlFixture } from '../hostile/jxl-file.ts';
import { insertChunks, pngChunk } from '../hostile/png-file.ts';
import { readTags, writeTags } from '../support/exiftool.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { makeImage, makePhoto } from '../support/images.ts';
import { insertSegments, makePacket, xmpSegment } from '../support/metadata-blocks.ts';
import { processFile, toReadable } from '../support/run-job.ts';

const photo = makePhoto({ width: 16, height: 12 });
const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url));

const author = 'Zo\u00eb M\u00fcller';
const rights = '\u00a9 2030 Zo\u00eb';
const exifArgs = [`-EXIF:Artist=${author}`, `-EXIF:Copyright=${rights}`, '-EXIF:ImageDescription=Gr\u00f6\u00dfe'];
const photoArgs = ['-EXIF:LensModel=50mm', '-EXIF:ISO=400', '-EXIF:GPSLatitude=51.5', '-EXIF:GPSLatitudeRef=N'];
const xmpArgs = ['-XMP-dc:Title=K\u00fcste', '-XMP-photoshop:City=Lyon', '-XMP-exif:GPSLatitude=51.5'];
const kept = {
  'IFD0:Artist': author,
  'IFD0:Copyright': rights,
  'IFD0:ImageDescription': 'Gr\u00f6\u00dfe',
  'ExifIFD:LensModel': '50mm',
  'ExifIFD:ISO': '400',
  'XMP-dc:Creator': author,
  'XMP-dc:Rights': rights,
  'XMP-dc:Title': 'K\u00fcste',
};

/** Files of all formats with EXIF, besides BMP, which has no metadata, and GIF. */
const sources: Partial<Record<InputFormat, () => Promise<Buffer>>> = {
  jpeg: () => encodeAs(photo, 'jpeg'),
  png: () => encodeAs(photo, 'png'),
  webp: () => encodeAs(photo, 'webp'),
  tiff: () => toSharp(photo).tiff().toBuffer(),
  avif: () => toSharp(photo).avif().toBuffer(),
  heic: () => fixture('heic/photo.heic'),
  jxl: async () => jxlFixture('photo'),
};

it.each(Object.keys(sources) as InputFormat[])(
  'keeps EXIF and XMP of a %s file, but not its location',
  async (format) => {
    const plain = await (sources[format] as () => Promise<Buffer>)();
    const file = await writeTags(plain, [...exifArgs, ...photoArgs, ...xmpArgs]);
    const all = await processFile(file, { scaleFactor: 1, format: 'jpeg', metadata: 'all' });
    const copyright = await processFile(file, { scaleFactor: 1, format: 'tiff', metadata: 'copyright' });
    const [tags = {}, few = {}] = await readTags([all.result, copyright.result]);
    expect(tags).toMatchObject(kept);
    expect(JSON.stringify(tags)).not.toMatch(/GPS|Lyon/);
    expect(all.report.notes).toEqual([]);
    expect(few).toMatchObject({ 'IFD0:Artist': author, 'IFD0:Copyright': rights, 'XMP-dc:Creator': author });
    expect(JSON.stringify(few)).not.toMatch(/GPS|Lyon|50mm|K\u00fcste/);
  },
);

it('keeps the XMP of a GIF, and says that it has no EXIF', async () => {
  const gif = await writeTags(await toSharp(photo).gif().toBuffer(), [...xmpArgs, `-XMP-dc:Creator=${author}`]);
  const outcomes = await Promise.all(
    (['png', 'gif'] as const).map((format) => processFile(gif, { scaleFactor: 1, format, metadata: 'all' })),
  );
  const [png = {}, back = {}] = await readTags(outcomes.map(({ result }) => result));
  expect(png).toMatchObject({ 'IFD0:Artist': author, 'XMP-dc:Title': 'K\u00fcste', 'XMP-dc:Creator': author });
  expect(back).toMatchObject({ 'XMP-dc:Title': 'K\u00fcste', 'XMP-dc:Creator': author });
  expect(outcomes.map(({ report }) => report.notes.includes(metadataNotes.noExif))).toEqual([false, true]);
});

it("keeps IPTC of a TIFF, and ImageMagick's profiles of a PNG", async () => {
  const tiff = await writeTags(await toSharp(photo).tiff().toBuffer(), [`-IPTC:By-line=${author}`, '-IPTC:City=Lyon']);
  const exif = await writeTags(await encodeAs(photo, 'jpeg'), [`-EXIF:Artist=${author}`]);
  const block = (await guardedSharp(exif).metadata()).exif ?? Buffer.alloc(0);
  const profile = `Raw profile type exif\0\nexif\n    ${block.length}\n${block.toString('hex')}\n`;
  const png = insertChunks(await encodeAs(photo, 'png'), [pngChunk('tEXt', Buffer.from(profile))]);
  for (const file of [tiff, png]) {
    const { result } = await processFile(file, { scaleFactor: 1, format: 'webp', metadata: 'all' });
    const [tags = {}] = await readTags([result]);
    expect(tags).toMatchObject({ 'IFD0:Artist': author, 'XMP-dc:Creator': author });
    expect(JSON.stringify(tags)).not.toContain('Lyon');
  }
});

describe('BigTIFF', () => {
  it('is written and read with its metadata', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'uprez-metadata-test-'));
    try {
      const path = join(dir, 'big.tif');
      await writeFile(path, await toSharp(photo).tiff({ bigtiff: true }).toBuffer());
      const fields = {
        image: [makeTextField(imageTag.artist, author)],
        exif: [makeTextField(photoTag.imageTitle, 'K\u00fcste')],
        gps: [],
      };
      await embedMetadata(path, 'tiff', {
        exif: fields,
        xmp: writeXmp(toSelectedXmp({ 'dc:rights': [rights] })),
        notes: [],
      });
      const file = await readFile(path);
      const { result } = await processFile(file, { scaleFactor: 1, format: 'png', metadata: 'all' });
      const [written = {}, read = {}] = await readTags([file, result]);
      expect(written).toMatchObject({ 'IFD0:Artist': author, 'XMP-dc:Rights': rights });
      expect(read).toMatchObject({ 'IFD0:Artist': author, 'XMP-dc:Title': 'K\u00fcste', 'XMP-dc:Rights': rights });
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});

it.each([
  ['opaque', photo],
  ['transparent', makeImage({ width: 16, height: 12, channels: 4 }, (x, y) => [x * 15, y * 20, 90, x * 16])],
] as const)('leaves the pixels of %s results as they are, and their files valid', async (_, image) => {
  const file = await writeTags(await encodeAs(image, 'png'), [...exifArgs, ...photoArgs, ...xmpArgs]);
  const decode = async (result: Buffer) =>
    guardedSharp(await toReadable(result), { failOn: 'warning' })
      .raw()
      .toBuffer();
  const results: Buffer[] = [];
  for (const format of outputFormats) {
    const [plain, rich] = await Promise.all([
      processFile(file, { scaleFactor: 1, format }),
      processFile(file, { scaleFactor: 1, format, metadata: 'all' }),
    ]);
    expect(await decode(rich.result), format).toEqual(await decode(plain.result));
    results.push(rich.result);
  }
  for (const [i, tags] of (await readTags(results)).entries()) {
    const format = outputFormats[i];
    expect(tags, format).toMatchObject(format === 'gif' ? { 'XMP-dc:Title': 'K\u00fcste' } : kept);
    expect(Object.keys(tags).filter((name) => name.includes('Warning'))).toEqual([]);
  }
});

it.each(['gif', 'webp'] as const)('leaves the frames and delays of an animated %s as they are', async (format) => {
  const frames = await Promise.all(
    [photo, makeImage({ width: 16, height: 12 }, (x) => [x * 15, 90, 20])].map((image) => encodeAs(image, 'png')),
  );
  const animated = await guardedSharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 300], loop: 3 })
    .toBuffer();
  const file = await writeTags(animated, xmpArgs);
  const { result } = await processFile(file, { scaleFactor: 1, format, metadata: 'all' });
  const header = await guardedSharp(result, { animated: true }).metadata();
  expect(header).toMatchObject({ pages: 2, delay: [100, 300], loop: 3 });
  expect((await readTags([result]))[0]).toMatchObject({ 'XMP-dc:Title': 'K\u00fcste' });
});

/** An offset, and EXIF data. */
const exifBox = Buffer.from([0, 0, 0, 0, 73, 73, 42, 0]);

describe('a note says what is lost', () => {
  const convert = async (file: Buffer, metadata: 'all' | 'copyright' | 'none' = 'all') =>
    (await processFile(file, { scaleFactor: 1, format: 'jpeg', metadata })).report.notes;

  it.each([
    ['damaged XMP', () => xmpSegment('<x:xmpmeta>'), metadataNotes.unread],
    [
      'properties of other programs',
      () => xmpSegment(makePacket('xmlns:lr="http://ns.adobe.com/lightroom/1.0/" lr:privateRTKInfo="1"')),
      metadataNotes.unknown,
    ],
    [
      'a property of an unexpected form',
      () =>
        xmpSegment(
          makePacket(
            'xmlns:dc="http://purl.org/dc/elements/1.1/"',
            '<dc:title rdf:parseType="Resource"><dc:source>a</dc:source></dc:title>',
          ),
        ),
      metadataNotes.unknown,
    ],
    [
      'metadata that is too large',
      () =>
        xmpSegment(
          makePacket(
            'xmlns:dc="http://purl.org/dc/elements/1.1/"',
            `<dc:title>${'x'.repeat(61_000)}</dc:title><dc:creator>${author}</dc:creator>`,
          ),
        ),
      metadataNotes.tooLong,
    ],
  ])('for %s', async (_, make, note) => {
    const file = insertSegments(await encodeAs(photo, 'jpeg'), make());
    expect(await convert(file)).toContain(note);
    expect(await convert(file, 'none')).toEqual([]);
  });

  it.each([
    ['a license of Creative Commons', 'xmlns:cc="http://creativecommons.org/ns#" cc:license="https://a.example"', ''],
    [
      'an author of an unexpected form',
      'xmlns:dc="http://purl.org/dc/elements/1.1/"',
      '<dc:creator rdf:parseType="Resource"><dc:source>a</dc:source></dc:creator>',
    ],
  ])('for %s when only author and copyright are kept', async (_, attributes, elements) => {
    const file = insertSegments(await encodeAs(photo, 'jpeg'), xmpSegment(makePacket(attributes, elements)));
    for (const metadata of ['copyright', 'all'] as const)
      expect(await convert(file, metadata)).toContain(metadataNotes.unknown);
  });

  it.each([
    [['License\0free', 'Author\0Ada'], [metadataNotes.unknown]],
    [['Author\0Ada', 'Author\0Bob'], [metadataNotes.unknown]],
    [['Author\0Ada', 'Author\0Ada', 'parameters\0a boat'], []],
  ])('for texts of a PNG about rights: %j', async (texts, notes) => {
    const chunks = texts.map((text) => pngChunk('tEXt', Buffer.from(text)));
    expect(await convert(insertChunks(await encodeAs(photo, 'png'), chunks), 'copyright')).toEqual(notes);
  });

  it.each([
    ['a damaged', [Buffer.from([0, 0, 1, 0, 73, 73]), exifBox]],
    ['an empty', [Buffer.alloc(4)]],
    ['a second', [exifBox, Buffer.concat([exifBox, exifBox])]],
  ])('for %s box of EXIF data of JPEG XL', (_, contents) => {
    const file = writeJxlContainer({
      codestream: splitJxlContainer(jxlFixture('photo'), () => true).codestream,
      xmp: ' ',
    });
    const boxes = contents.map((content) => {
      const head = Buffer.alloc(8);
      head.writeUInt32BE(8 + content.length);
      head.write('Exif', 4, 'latin1');
      return Buffer.concat([head, content]);
    });
    const { unread } = splitJxlContainer(Buffer.concat([file, ...boxes]), () => true);
    expect(unread).toBe(true);
  });

  it('for texts of a PNG without a field', async () => {
    const text = pngChunk('tEXt', Buffer.from('parameters\0a boat'));
    expect(await convert(insertChunks(await encodeAs(photo, 'png'), [text]))).toContain(metadataNotes.unknown);
  });

  it('only if there is metadata', async () => expect(await convert(await encodeAs(photo, 'jpeg'))).toEqual([]));
});
