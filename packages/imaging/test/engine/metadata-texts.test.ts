// cspell:ignore bsch hnlich ller Meer ngstr ukasz
import { brotliCompressSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readPngBlocks } from '../../src/engine/metadata/blocks/find-blocks.ts';
import { hasCoordinates } from '../../src/engine/metadata/coordinates.ts';
import { imageTag, photoTag } from '../../src/engine/metadata/exif/exif-tags.ts';
import { exifTexts } from '../../src/engine/metadata/exif/exif-texts.ts';
import type { ExifField } from '../../src/engine/metadata/exif/read-exif.ts';
import { writeExif } from '../../src/engine/metadata/exif/write-exif.ts';
import { readIptc } from '../../src/engine/metadata/iptc/read-iptc.ts';
import { metadataNotes, readKeyedTexts, selectMetadata } from '../../src/engine/metadata/select-metadata.ts';
import { toSelectedXmp } from '../../src/engine/metadata/xmp/select-xmp.ts';
import { writeXmp } from '../../src/engine/metadata/xmp/write-xmp.ts';
import { splitJxlContainer } from '../../src/jxl/open-container.ts';
import { jxlFixture } from '../hostile/jxl-file.ts';
import { insertChunks, pngChunk } from '../hostile/png-file.ts';
import { readTags, writeTags } from '../support/exiftool.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import {
  dataSet,
  exifSegment,
  insertSegments,
  iptcSegment,
  makePacket,
  segment,
  xmpSegment,
} from '../support/metadata-blocks.ts';
import { processFile } from '../support/run-job.ts';

const photo = makePhoto({ width: 16, height: 12 });
const jpeg = await encodeAs(photo, 'jpeg');
const plainPng = await encodeAs(photo, 'png');

/** Returns the tags of the result of a file, as WebP. */
const readResult = async (file: Buffer, metadata: 'all' | 'copyright' = 'all') => {
  const { result } = await processFile(file, { scaleFactor: 1, format: 'webp', metadata });
  return (await readTags([result]))[0] ?? {};
};

/** Returns the metadata that a result gets. */
const select = (file: Buffer, format: 'jpeg' | 'png', metadata: 'all' | 'copyright' = 'all') =>
  selectMetadata(file, format, { metadata, gps: false, format: 'webp', width: 1, height: 1 });

const utf8 = (text: string) => Buffer.from(text);
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const wide = (text: string) => Buffer.from(`${text}\0`, 'utf16le');

type Fields = {
  image?: [tag: number, type: number, bytes: Buffer][];
  exif?: [tag: number, type: number, bytes: Buffer][];
};

/** A JPEG with these EXIF fields. */
function withFields({ image = [], exif = [] }: Fields): Buffer {
  const toField = ([tag, type, bytes]: [number, number, Buffer]): ExifField => ({ tag, type, bytes, isLittle: true });
  const block = writeExif({ image: image.map(toField), exif: exif.map(toField), gps: [] });
  return insertSegments(jpeg, exifSegment(block));
}

const { artist, copyright, description, xpAuthor, xpComment, xpKeywords, xpTitle } = imageTag;
const names = {
  'IFD0:Artist': 'Zo\u00eb M\u00fcller',
  'IFD0:Copyright': '\u00a9 2030 Zo\u00eb',
  'IFD0:ImageDescription': 'Gr\u00f6\u00dfe',
  'XMP-dc:Creator': 'Zo\u00eb M\u00fcller',
  'XMP-dc:Rights': '\u00a9 2030 Zo\u00eb',
  'XMP-dc:Description': 'Gr\u00f6\u00dfe',
};

describe('texts of EXIF arrive in EXIF and XMP', () => {
  it.each([
    ['UTF-8', utf8, 2],
    ['Latin-1', latin1, 2],
    ['the type for UTF-8 of EXIF 3.0', utf8, 129],
  ] as const)('from %s', async (_, encode, type) => {
    const file = withFields({
      image: [
        [artist, type, encode(`${names['IFD0:Artist']}\0`)],
        [copyright, type, encode(`${names['IFD0:Copyright']}\0`)],
        [description, type, encode(`${names['IFD0:ImageDescription']}\0`)],
      ],
    });
    expect(await readResult(file)).toMatchObject(names);
    const rights = await readResult(file, 'copyright');
    expect(rights).toMatchObject({ 'IFD0:Artist': names['IFD0:Artist'], 'XMP-dc:Rights': names['XMP-dc:Rights'] });
    expect(rights['IFD0:ImageDescription']).toBeUndefined();
  });

  it.each(['Little-endian', 'Big-endian'])('from a %s block of another program', async (order) => {
    const file = await writeTags(jpeg, [
      `-ExifByteOrder=${order}`,
      ...['-Artist=\u0141ukasz \u5c71\u7530', '-EXIF:ImageDescription=\u00dcber', '-XPTitle=\u00c5ngstr\u00f6m \u5c71'],
      ...[
        '-EXIF:UserComment=\u0434\u043e\u043c',
        '-ExposureTime=1/125',
        '-FNumber=2.8',
        '-ISO=400',
        '-EXIF:LensModel=50mm',
      ],
      ...['-GPSLatitude=10', '-GPSLatitudeRef=S'],
    ]);
    const tags = await readResult(file);
    expect(tags).toMatchObject({
      'IFD0:Artist': '\u0141ukasz \u5c71\u7530',
      'IFD0:XPTitle': '\u00c5ngstr\u00f6m \u5c71',
      'XMP-dc:Title': '\u00c5ngstr\u00f6m \u5c71',
      'XMP-dc:Description': '\u00dcber',
      'ExifIFD:UserComment': '\u0434\u043e\u043c',
      'XMP-exif:UserComment': '\u0434\u043e\u043c',
      'ExifIFD:ExposureTime': '1/125',
      'ExifIFD:FNumber': '2.8',
      'ExifIFD:ISO': '400',
      'ExifIFD:LensModel': '50mm',
    });
    expect(JSON.stringify(tags)).not.toContain('GPSLatitude');
  });

  it("from Microsoft's fields", async () => {
    const image: Fields['image'] = [
      [xpTitle, 1, wide('Gr\u00f6\u00dfe')],
      [xpAuthor, 1, wide('Zo\u00eb')],
      [xpComment, 1, wide('\u00e4hnlich')],
      [xpKeywords, 1, wide('M\u00f6we;Meer')],
    ];
    expect(await readResult(withFields({ image }))).toMatchObject({
      'IFD0:XPTitle': 'Gr\u00f6\u00dfe',
      'IFD0:XPAuthor': 'Zo\u00eb',
      'IFD0:XPKeywords': 'M\u00f6we;Meer',
      'XMP-dc:Title': 'Gr\u00f6\u00dfe',
      'XMP-dc:Creator': 'Zo\u00eb',
      'XMP-dc:Subject': 'M\u00f6we; Meer',
      'XMP-exif:UserComment': '\u00e4hnlich',
    });
  });

  it.each([
    ['ASCII', Buffer.from('ASCII\0\0\0plain', 'latin1'), 'plain'],
    ['ASCII with Latin-1', Buffer.from('ASCII\0\0\0h\u00fcbsch', 'latin1'), 'h\u00fcbsch'],
    ['Unicode', Buffer.concat([utf8('UNICODE\0'), Buffer.from('\u5c71', 'utf16le')]), '\u5c71'],
    [
      'Unicode with a mark',
      Buffer.concat([utf8('UNICODE\0'), Buffer.from('\ufeff\u5c71', 'utf16le').swap16()]),
      '\u5c71',
    ],
    ['JIS', Buffer.concat([utf8('JIS\0\0\0\0\0'), Buffer.from('\x1b$B;3\x1b(B', 'latin1')]), '\u5c71'],
    ['no code', Buffer.concat([Buffer.alloc(8), utf8('\u5c71')]), '\u5c71'],
  ])('from a comment in %s', async (_, bytes, text) => {
    const tags = await readResult(withFields({ exif: [[photoTag.userComment, 7, bytes]] }));
    expect(tags).toMatchObject({ 'ExifIFD:UserComment': text, 'XMP-exif:UserComment': text });
  });
});

const keyed = (keyword: string, text: Buffer) => Buffer.concat([latin1(`${keyword}\0`), text]);
const compressed = (keyword: string, text: Buffer) => Buffer.concat([latin1(`${keyword}\0\0`), deflateSync(text)]);
const international = (keyword: string, text: string, isPacked: boolean) =>
  Buffer.concat([
    latin1(`${keyword}\0`),
    Buffer.from([isPacked ? 1 : 0, 0]),
    utf8('de\0Wort\0'),
    isPacked ? deflateSync(text) : utf8(text),
  ]);

it.each(['copyright', 'Copyright Notice', 'author', 'License'])(
  'says that a text of PNG about rights is lost: %s',
  (keyword) => expect(readKeyedTexts([{ keyword, text: 'ours' }])).toMatchObject({ texts: {}, lostRights: true }),
);

it('texts of PNG arrive in EXIF and XMP, whatever their chunk', async () => {
  const png = insertChunks(plainPng, [
    pngChunk('tEXt', keyed('Author', latin1('Zo\u00eb'))),
    pngChunk('tEXt', keyed('Source', utf8('Caf\u00e9 \u5c71'))),
    pngChunk('zTXt', compressed('Copyright', latin1('\u00a9 Zo\u00eb'))),
    pngChunk('iTXt', international('Title', 'Gr\u00f6\u00dfe \u5c71', false)),
    pngChunk('iTXt', international('Description', '\u0434\u043e\u043c', true)),
    pngChunk('tEXt', keyed('Comment', latin1('\u00e4hnlich'))),
  ]);
  expect(await readResult(png)).toMatchObject({
    'IFD0:Artist': 'Zo\u00eb',
    'IFD0:Copyright': '\u00a9 Zo\u00eb',
    'IFD0:XPTitle': 'Gr\u00f6\u00dfe \u5c71',
    'IFD0:ImageDescription': '\u0434\u043e\u043c',
    'ExifIFD:UserComment': '\u00e4hnlich',
    'XMP-dc:Creator': 'Zo\u00eb',
    'XMP-dc:Rights': '\u00a9 Zo\u00eb',
    'XMP-dc:Title': 'Gr\u00f6\u00dfe \u5c71',
    'XMP-dc:Description': '\u0434\u043e\u043c',
    'XMP-photoshop:Source': 'Caf\u00e9 \u5c71',
    'XMP-exif:UserComment': '\u00e4hnlich',
  });
});

it.each([
  ['UTF-8 that is announced', utf8, [dataSet(1, 90, latin1('\x1b%G'))]],
  ['UTF-8 that is not announced', utf8, []],
  ['Latin-1 that is announced', latin1, [dataSet(1, 90, latin1('\x1b.A'))]],
  ['Latin-1 that is not announced', latin1, []],
] as const)('texts of IPTC arrive in EXIF and XMP from %s', async (_, encode, before) => {
  const sets = [
    dataSet(2, 80, encode('Zo\u00eb')),
    dataSet(2, 116, encode('\u00a9 Zo\u00eb')),
    dataSet(2, 5, encode('Gr\u00f6\u00dfe')),
    dataSet(2, 25, encode('M\u00f6we')),
    dataSet(2, 25, encode('Meer')),
    dataSet(2, 55, encode('20300131')),
  ];
  expect(await readResult(insertSegments(jpeg, iptcSegment(...before, ...sets)))).toMatchObject({
    'IFD0:Artist': 'Zo\u00eb',
    'IFD0:Copyright': '\u00a9 Zo\u00eb',
    'XMP-dc:Creator': 'Zo\u00eb',
    'XMP-dc:Rights': '\u00a9 Zo\u00eb',
    'XMP-dc:Title': 'Gr\u00f6\u00dfe',
    'XMP-dc:Subject': 'M\u00f6we; Meer',
    'XMP-photoshop:DateCreated': '2030:01:31',
  });
});

it('comments of JPEG and GIF arrive as comments', async () => {
  const commented = insertSegments(jpeg, segment(0xfe, latin1('h\u00fcbsch')));
  expect(await readResult(commented)).toMatchObject({ 'XMP-exif:UserComment': 'h\u00fcbsch' });
  const gif = await writeTags(await toSharp(photo).gif().toBuffer(), ['-Comment=h\u00fcbsch']);
  expect(await readResult(gif)).toMatchObject({ 'ExifIFD:UserComment': 'h\u00fcbsch' });
});

const dc = 'xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:p="http://ns.adobe.com/photoshop/1.0/"';
const list = (kind: string, ...entries: string[]) => `<rdf:${kind}>${entries.join('')}</rdf:${kind}>`;
const title = `<d:title>${list(
  'Alt',
  '<rdf:li xml:lang="x-default">Gr\u00f6\u00dfe &amp; M\u00fche</rdf:li>',
  '<rdf:li xml:lang="fr">Taille</rdf:li>',
)}</d:title>`;
const packet = makePacket(`${dc} p:Credit="Zo\u00eb"`, title);

describe('XMP', () => {
  it.each([
    ['UTF-8', Buffer.from(packet)],
    ['UTF-16', Buffer.from(packet, 'utf16le')],
    ['big-endian UTF-16', Buffer.from(packet, 'utf16le').swap16()],
  ])('keeps texts, languages, and lists in %s', async (_, bytes) => {
    expect(await readResult(insertSegments(jpeg, xmpSegment(bytes)))).toMatchObject({
      'XMP-dc:Title': 'Gr\u00f6\u00dfe & M\u00fche',
      'XMP-dc:Title-fr': 'Taille',
      'XMP-photoshop:Credit': 'Zo\u00eb',
      'IFD0:XPTitle': 'Gr\u00f6\u00dfe & M\u00fche',
    });
  });

  const id = '0123456789ABCDEF0123456789ABCDEF';
  const main = makePacket(`${dc} xmlns:n="http://ns.adobe.com/xmp/note/" p:Credit="Zo\u00eb" n:HasExtendedXMP="${id}"`);
  const extended = Buffer.from(makePacket(dc, title));
  const half = Math.ceil(extended.length / 2);
  const part = (offset: number, length = half) => {
    const sizes = Buffer.alloc(8);
    sizes.writeUInt32BE(extended.length, 0);
    sizes.writeUInt32BE(offset, 4);
    const name = latin1(`http://ns.adobe.com/xmp/extension/\0${id}`);
    return segment(0xe1, Buffer.concat([name, sizes, extended.subarray(offset, offset + length)]));
  };

  it('keeps the properties of an extended packet', async () => {
    expect(await readResult(insertSegments(jpeg, xmpSegment(main), part(0), part(half)))).toMatchObject({
      'XMP-dc:Title': 'Gr\u00f6\u00dfe & M\u00fche',
      'XMP-photoshop:Credit': 'Zo\u00eb',
    });
  });

  it.each([
    ['in another order', [part(half), part(0)], []],
    ['that overlap', [part(0), part(half - 1)], [metadataNotes.unread]],
    ['that are repeated instead of complete', [part(0), part(0)], [metadataNotes.unread]],
  ])('joins parts of an extended packet %s, or says that they were lost', (_, parts, notes) => {
    const selected = select(insertSegments(jpeg, xmpSegment(main), ...parts), 'jpeg');
    expect(selected.notes).toEqual(notes);
    expect(selected.xmp?.includes('Taille')).toBe(notes.length === 0);
    expect(selected.xmp).toContain('Zo\u00eb');
  });
});

describe('metadata that is made to exhaust a worker is limited', () => {
  const spaces = 1_000_000;

  it.each(['all', 'copyright'] as const)('a long text is dropped with a note: %s', (metadata) => {
    const text = latin1(`12.3456${' '.repeat(spaces)}x`);
    const chunks = [compressed('Copyright', text), compressed('Author', latin1(`${'\0'.repeat(spaces)}Ada`))];
    const file = insertChunks(
      plainPng,
      [...chunks, compressed('Title', latin1('Sea'))].map((data) => pngChunk('zTXt', data)),
    );
    const { xmp = '', notes } = select(file, 'png', metadata);
    expect(notes).toEqual([metadataNotes.unread]);
    expect(xmp.length).toBeLessThan(1_000);
    expect(xmp.includes('Sea')).toBe(metadata === 'all');
  });

  it.each(['12.3456', '48\u00b0', 'lat', 'N 48', '+48.85'])(
    "coordinates aren't found after a million spaces: %s",
    (text) => expect(hasCoordinates(`${text}${' '.repeat(spaces)}2.2945x`)).toBe(false),
  );

  it('a text of EXIF that is too long is not read', () => {
    const image = [{ tag: artist, type: 2, bytes: Buffer.alloc(70_000, 'a'), isLittle: true }];
    expect(exifTexts({ image, exif: [], gps: [] })).toEqual({});
  });

  it('a thousand fields with the same spaces are left out', () => {
    const [count, length] = [1_000, 50_000];
    const block = Buffer.alloc(8 + 2 + count * 12 + 4 + length, ' ');
    block.write('II*\0\x08\0\0\0', 'latin1');
    block.writeUInt16LE(count, 8);
    for (let i = 0; i < count; i++) {
      const at = 10 + i * 12;
      block.writeUInt16LE(0xb0_00 + i, at);
      block.writeUInt16LE(2, at + 2);
      block.writeUInt32LE(length, at + 4);
      block.writeUInt32LE(block.length - length, at + 8);
    }
    const { exif, notes } = select(insertSegments(jpeg, exifSegment(block)), 'jpeg');
    expect({ exif, notes }).toEqual({ exif: undefined, notes: [metadataNotes.unknown] });
  });

  it('IPTC ends after 2,000 data sets', () => {
    const { texts, lost } = readIptc(Buffer.concat(Array(3_000).fill(dataSet(2, 25, latin1('sea')))));
    expect([texts['dc:subject']?.length, lost]).toEqual([2_000, true]);
  });

  it('texts of a PNG are unpacked to 16 MB together', () => {
    const large = pngChunk('zTXt', compressed('parameters', Buffer.alloc(1024 * 1024, 'a')));
    const { texts, unread } = readPngBlocks(insertChunks(plainPng, Array(20).fill(large)));
    expect([texts.length, unread]).toEqual([16, true]);
  });

  it('two XMP packets of a PNG are read', () => {
    const credit = (prefix: string) => makePacket(`xmlns:p="http://ns.adobe.com/photoshop/1.0/" p:${prefix}="kept"`);
    const packets = ['Credit', 'Source', 'Headline'].map((name) =>
      pngChunk('iTXt', international('XML:com.adobe.xmp', credit(name), true)),
    );
    const { xmp, notes } = select(insertChunks(plainPng, packets), 'png');
    expect(xmp).toContain('Source');
    expect(xmp).not.toContain('Headline');
    expect(notes).toEqual([metadataNotes.unread]);
  });

  it('only the first block of each type of a JPEG XL file is unpacked', () => {
    const box = (type: string, data: Buffer) => {
      const head = Buffer.alloc(8);
      head.writeUInt32BE(8 + data.length);
      head.write(type, 4, 'latin1');
      return Buffer.concat([head, data]);
    };
    const packed = (type: string, data: Buffer) => box('brob', Buffer.concat([latin1(type), brotliCompressSync(data)]));
    const { codestream } = splitJxlContainer(jxlFixture('photo'), () => true);
    const start = [box('JXL ', latin1('\r\n\x87\n')), box('ftyp', latin1('jxl \0\0\0\0jxl '))];
    const exif = Buffer.concat([Buffer.alloc(4), latin1('II*\0')]);
    const metadata = [
      packed('Exif', Buffer.alloc(17 * 1024 * 1024)),
      packed('Exif', exif),
      packed('xml ', utf8(packet)),
    ];
    const file = Buffer.concat([...start, ...metadata, box('jxlc', codestream)]);
    expect(splitJxlContainer(file, () => true)).toEqual({ codestream, xmp: utf8(packet), unread: true });
  });

  it('characters that XML cannot contain are removed', () => {
    const written = writeXmp(toSelectedXmp({ 'photoshop:Credit': ['a\0b\x1f\ud800c\ufffe\tx\u0085 <&> \r\u{1f600}'] }));
    expect(written).toContain('>abc\tx\u0085 &lt;&amp;&gt; &#13;\u{1f600}<');
  });
});
