import { outputFormats } from '@uprez/contracts/policy/images/image-formats';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Metadata } from 'sharp';
import { describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { metadataNotes } from '../../src/engine/metadata/select-metadata.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { splitJxlContainer } from '../../src/jxl/open-container.ts';
import { readOrientation } from '../../src/strip/orientation.ts';
import { makeExif, secrets } from '../hostile/exif-block.ts';
import { insertChunks, pngChunk } from '../hostile/png-file.ts';
import { toSharp } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import {
  dataSet,
  exifSegment,
  insertSegments,
  photoshopSegment,
  resource,
  segment,
  xmpSegment,
} from '../support/metadata-blocks.ts';
import { processFile } from '../support/run-job.ts';

const photo = makePhoto({ width: 40, height: 30 });
const exif = makeExif({ artist: 'Ada Able (studio)', copyright: 'Copyright Ada Able' });
const xmp = `<?xpacket begin="\ufeff"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:e="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:ps="http://ns.adobe.com/photoshop/1.0/"
 e:GPSLatitude="SECRETPLACE 51" ps:City="SECRETPLACE" xmp:CreatorTool="SECRETTOOL" ps:Credit="Able &amp; Sons">
<dc:creator><rdf:Seq><rdf:li>Zo\u00eb Able</rdf:li></rdf:Seq></dc:creator><e:GPSLongitude>SECRETPLACE 0</e:GPSLongitude>
<xmp:Thumbnails><rdf:Alt><rdf:li rdf:parseType="Resource"><g:image xmlns:g="http://ns.adobe.com/xap/1.0/g/img/">SECRETTHUMBNAIL</g:image></rdf:li></rdf:Alt></xmp:Thumbnails>
<xmp:Label>SECRETLABEL</xmp:Label></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

/** A JPEG with every kind of block that people do not know of, and a file behind its end. */
async function makeTalkativeJpeg(): Promise<Buffer> {
  const plain = await toSharp(photo).withIccProfile('p3').jpeg({ quality: 98, chromaSubsampling: '4:4:4' }).toBuffer();
  const iptc = [
    dataSet(2, 80, Buffer.from('Ida Iptc')),
    dataSet(2, 116, Buffer.from('Rights of Ida')),
    dataSet(2, 90, Buffer.from(secrets.place)),
  ];
  const segments = [
    exifSegment(exif),
    xmpSegment(xmp),
    photoshopSegment(resource(0x040c, Buffer.from(secrets.thumbnail)), resource(0x0404, Buffer.concat(iptc))),
    segment(0xe7, Buffer.from('SECRETSEGMENT')),
    segment(0xfe, Buffer.from('SECRETJPEGCOMMENT')),
  ];
  return Buffer.concat([insertSegments(plain, ...segments), Buffer.from('SECRETTRAILER')]);
}

async function makeTalkativePng(): Promise<Buffer> {
  const plain = await toSharp(photo).withIccProfile('p3').png().toBuffer();
  const words = (keyword: string, value: string) => pngChunk('tEXt', Buffer.from(`${keyword}\0${value}`, 'latin1'));
  const chunks = [
    pngChunk('eXIf', exif),
    words('Author', 'Petra Png'),
    words('Comment', 'SECRETTEXTCHUNK'),
    words('parameters', 'SECRETPROMPT'),
    pngChunk('prVt', Buffer.from('SECRETCHUNK')),
  ];
  return Buffer.concat([insertChunks(plain, chunks), Buffer.from('SECRETTRAILER')]);
}

/** Reads JPEG XL, which sharp can't, without its pixels. */
async function readHeader(file: Buffer): Promise<Partial<Metadata>> {
  const { format, orientation, hasProfile } = await inspect(file);
  if (format !== 'jxl') return guardedSharp(file).metadata();
  const { exif, xmp } = splitJxlContainer(file, () => true);
  if (exif) expect(readOrientation(exif)).toBe(1);
  return { orientation, hasProfile, ...(exif && { exif }), ...(xmp && { xmp, xmpAsString: xmp.toString() }) };
}

/** All that a reader finds: the file's bytes, and its blocks as they are unpacked. */
async function readWords(file: Buffer): Promise<string> {
  const header = await readHeader(file);
  const comments = JSON.stringify(header.comments ?? []);
  return [file, header.exif, header.xmp, header.iptc].map((part) => part?.toString('utf8') ?? '').join() + comments;
}

const make = async (file: Promise<Buffer>, recipe: Partial<Recipe>) => {
  const { result, report } = await processFile(await file, { scaleFactor: 0.5, ...recipe });
  return { header: await readHeader(result), words: await readWords(result), notes: report.notes };
};

const sources = { jpeg: makeTalkativeJpeg, png: makeTalkativePng };

describe.each(Object.keys(sources) as (keyof typeof sources)[])('from a %s', (from) => {
  const source = sources[from]();
  describe.each(outputFormats)('to %s', (format) => {
    it('none keeps only the color profile', async () => {
      const { header, words } = await make(source, { format });
      expect(words).not.toMatch(/SECRET|Able|Ida|Petra|1999:12/);
      expect([header.exif, header.xmp, header.iptc, header.comments]).toEqual(Array(4).fill(undefined));
      expect(header.hasProfile).toBe(format !== 'gif');
      expect(header.orientation ?? 1).toBe(1);
    });

    it('copyright keeps only the author and the license', async () => {
      const { header, words, notes } = await make(source, { format, metadata: 'copyright' });
      expect(words).not.toMatch(/SECRET|1999:12/);
      const xmp = format === 'gif' ? words : header.xmpAsString;
      expect(xmp).toContain(from === 'jpeg' ? 'Zo\u00eb Able' : 'Ada Able (studio)');
      expect(xmp).toContain(from === 'jpeg' ? 'Rights of Ida' : 'Copyright Ada Able');
      if (from === 'jpeg') expect(xmp).toContain('Able &amp; Sons');
      if (format === 'gif') expect(notes).toContain(metadataNotes.noExif);
      else expect(words).toContain(from === 'jpeg' ? 'Rights of Ida\0' : 'Ada Able (studio)\0');
    });

    it('all keeps the camera, but not the location, thumbnail, maker note, or orientation', async () => {
      const { header, words, notes } = await make(source, { format, metadata: 'all' });
      const hidden = [secrets.place, secrets.time, secrets.maker, secrets.thumbnail, secrets.padding];
      for (const word of [...hidden, 'SECRETTRAILER', 'SECRETSEGMENT', 'SECRETCHUNK'])
        expect(words).not.toContain(word);
      expect(header.orientation ?? 1).toBe(1);
      expect(notes).toContain(metadataNotes.makerNotes);
      expect(format === 'gif' ? words : header.xmpAsString).toContain(from === 'jpeg' ? 'SECRETLABEL' : 'Ada Able');
      if (format === 'gif') return expect(notes).toContain(metadataNotes.noExif);
      for (const word of [secrets.model, secrets.serial, secrets.comment]) expect(words).toContain(word);
    });

    it('all with gps keeps the location', async () => {
      const { words } = await make(source, { format, metadata: 'all', gps: true });
      for (const word of [secrets.maker, secrets.thumbnail]) expect(words).not.toContain(word);
      expect(words.includes(secrets.place)).toBe(from === 'jpeg' || format !== 'gif');
    });
  });
});

describe('XMP that is not plain XML', () => {
  it.each([
    ['a document type', '<!DOCTYPE x [<!ENTITY a "SECRET">]><x>&a;</x>'],
    ['tags that do not nest', '<a><b></a></b>'],
    ['noise', '\u0001\u0002<<<'],
    ['comments that never end', '<!--'.repeat(100_000)],
    ['endless depth', `${'<a>'.repeat(60_000)}${'</a>'.repeat(60_000)}`],
    ['thousands of namespaces', `<a ${Array.from({ length: 9_000 }, (_, i) => `xmlns:n${i}="u${i}"`).join(' ')}/>`],
  ])('is removed: %s', async (_, packet) => {
    const file = toSharp(photo).withXmp(`${packet}`).png().toBuffer();
    const { header } = await make(file, { format: 'png', metadata: 'all' });
    expect(header.xmp).toBeUndefined();
  });
});
