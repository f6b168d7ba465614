// cspell:ignore acdsee DICOM expressionmedia extensis georss geotagged gpslongitude kipi mediapro mlat mlon Pano pdfx photomechanic
import { outputFormats } from '@uprez/contracts/policy/images/image-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasCoordinates } from '../../src/engine/metadata/coordinates.ts';
import { imageTag } from '../../src/engine/metadata/exif/exif-tags.ts';
import { writeExif } from '../../src/engine/metadata/exif/write-exif.ts';
import { metadataNotes, selectMetadata } from '../../src/engine/metadata/select-metadata.ts';
import { makeExif, secrets } from '../hostile/exif-block.ts';
import { readTags, type Tags } from '../support/exiftool.ts';
import { encodeAs } from '../support/image-files.ts';
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

const photo = makePhoto({ width: 40, height: 30 });

/** Namespaces of drones, phones, photo managers, and archives that results must not contain. */
const foreign = {
  'drone-dji': 'http://www.dji.com/drone-dji/1.0/',
  'drone-parrot': 'http://www.parrot.com/drone-parrot/1.0/',
  Camera: 'http://pix4d.com/camera/1.0/',
  FLIR: 'http://ns.flir.com/xmp/1.0/',
  DroneInfo: 'http://skydio.com/drone/1.0/',
  geo: 'http://www.w3.org/2003/01/geo/wgs84_pos#',
  georss: 'http://www.georss.org/georss',
  gml: 'http://www.opengis.net/gml',
  exifEX: 'http://cipa.jp/exif/1.0/',
  aux: 'http://ns.adobe.com/exif/1.0/aux/',
  crs: 'http://ns.adobe.com/camera-raw-settings/1.0/',
  crd: 'http://ns.adobe.com/camera-raw-defaults/1.0/',
  lr: 'http://ns.adobe.com/lightroom/1.0/',
  xmpMM: 'http://ns.adobe.com/xap/1.0/mm/',
  xmpDM: 'http://ns.adobe.com/xmp/1.0/DynamicMedia/',
  xmpBJ: 'http://ns.adobe.com/xap/1.0/bj/',
  xmpTPg: 'http://ns.adobe.com/xap/1.0/t/pg/',
  stEvt: 'http://ns.adobe.com/xap/1.0/sType/ResourceEvent#',
  album: 'http://ns.adobe.com/album/1.0/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  pdfx: 'http://ns.adobe.com/pdfx/1.3/',
  DICOM: 'http://ns.adobe.com/DICOM/',
  digiKam: 'http://www.digikam.org/ns/1.0/',
  kipi: 'http://www.digikam.org/ns/kipi/1.0/',
  acdsee: 'http://ns.acdsee.com/iptc/1.0/',
  mediapro: 'http://ns.iview-multimedia.com/mediapro/1.0/',
  expressionmedia: 'http://ns.microsoft.com/expressionmedia/1.0/',
  MicrosoftPhoto: 'http://ns.microsoft.com/photo/1.0',
  MP: 'http://ns.microsoft.com/photo/1.2/',
  'mwg-rs': 'http://www.metadataworkinggroup.com/schemas/regions/',
  'mwg-kw': 'http://www.metadataworkinggroup.com/schemas/keywords/',
  'mwg-coll': 'http://www.metadataworkinggroup.com/schemas/collections/',
  plus: 'http://ns.useplus.org/ldf/xmp/1.0/',
  prism: 'http://prismstandard.org/namespaces/basic/2.0/',
  cc: 'http://creativecommons.org/ns#',
  GPano: 'http://ns.google.com/photos/1.0/panorama/',
  GCamera: 'http://ns.google.com/photos/1.0/camera/',
  GSpherical: 'http://ns.google.com/videos/1.0/spherical/',
  photomechanic: 'http://ns.camerabits.com/photomechanic/1.0/',
  extensis: 'http://ns.extensis.com/extensis/1.0/',
  apple: 'http://ns.apple.com/faceinfo/1.0/',
  unknown: 'urn:example:unknown',
};

const declared = Object.entries(foreign).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`);
/** One property of each namespace, in each form in turn. */
const forms = [
  (name: string, value: string) => ({ attribute: `${name}="${value}"` }),
  (name: string, value: string) => ({ element: `<${name}>${value}</${name}>` }),
  (name: string, value: string) => ({ element: `<${name}><rdf:Bag><rdf:li>${value}</rdf:li></rdf:Bag></${name}>` }),
  (name: string, value: string) => ({
    element: `<${name} rdf:parseType="Resource"><dc:title>${value}</dc:title></${name}>`,
  }),
];
const foreignProperties = Object.keys(foreign).map((prefix, i) => {
  const form = forms[i % forms.length] as (typeof forms)[0];
  return form(`${prefix}:GpsLatitude`, `SECRET ${i} 30.1234567`) as { attribute?: string; element?: string };
});

/** Locations in namespaces that results may contain, with unusual prefixes. */
const ownNamespaces = [
  ['dc', 'http://purl.org/dc/elements/1.1/'],
  ['e', 'http://ns.adobe.com/exif/1.0/'],
  ['ps', 'http://ns.adobe.com/photoshop/1.0/'],
  ['core', 'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/'],
  ['ext', 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/'],
].map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`);
const places = `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Harbor</rdf:li></rdf:Alt></dc:title>
<e:GPSLatitude>51,30.5N</e:GPSLatitude><e:gpslongitude>SECRET 7</e:gpslongitude><ps:City>SECRET city</ps:City>
<dc:coverage>SECRET coverage</dc:coverage>
<ext:LocationCreated><rdf:Bag><rdf:li rdf:parseType="Resource"><ext:City>SECRET town</ext:City></rdf:li></rdf:Bag></ext:LocationCreated>
<core:CreatorContactInfo core:CiAdrCity="SECRET address" core:CiEmailWork="ada@example.com"/>
<lr:hierarchicalSubject><rdf:Bag><rdf:li>Places|SECRET county</rdf:li></rdf:Bag></lr:hierarchicalSubject>
<dc:subject><rdf:Bag><rdf:li>boat</rdf:li><rdf:li>geo:lat=30.1234567</rdf:li><rdf:li>geotagged</rdf:li>
<rdf:li>SECRET city</rdf:li><rdf:li>Secret Town</rdf:li><rdf:li>secret county</rdf:li></rdf:Bag></dc:subject>`;

const packet = makePacket(
  [...declared, ...ownNamespaces, 'ps:State="SECRET state" core:Location="SECRET sublocation"']
    .concat(foreignProperties.flatMap(({ attribute }) => attribute ?? []))
    .join(' '),
  places + foreignProperties.map(({ element }) => element ?? '').join(''),
);

async function makeSource(): Promise<Buffer> {
  const iptc = [90, 92, 95, 100, 101, 26, 27].map((number) => dataSet(2, number, Buffer.from('SECRET iptc')));
  const exif = exifSegment(makeExif({ artist: 'Ada', copyright: 'Ada' }));
  const comment = segment(0xe8, Buffer.from('SECRET segment'));
  return insertSegments(await encodeAs(photo, 'jpeg'), exif, xmpSegment(packet), iptcSegment(...iptc), comment);
}

const convert = async (gps: boolean) => {
  const source = await makeSource();
  const outcomes = await Promise.all(
    outputFormats.map((format) => processFile(source, { scaleFactor: 1, format, metadata: 'all', gps })),
  );
  const tags = await readTags(outcomes.map(({ result }) => result));
  return outputFormats.map((format, i) => ({ format, tags: tags[i] as Tags, notes: outcomes[i]?.report.notes ?? [] }));
};

const isLocation = /gps|city|state|country|province|location|latitude|longitude|coverage|geo/i;

describe('metadata=all without gps', () => {
  let results: Awaited<ReturnType<typeof convert>>;
  beforeAll(async () => {
    results = await convert(false);
  });

  it.each(outputFormats)('keeps no location and no property of 42 foreign namespaces in %s', (format) => {
    const { tags, notes } = results.find((result) => result.format === format) as (typeof results)[0];
    const leaked = Object.entries(tags).filter(
      ([name, value]) =>
        isLocation.test(name) || /secret.*(\d|city|town|county|state|iptc|place)|30\.1234/i.test(value),
    );
    expect(leaked).toEqual([]);
    expect(tags).toMatchObject({ 'XMP-dc:Title': 'Harbor', 'XMP-dc:Subject': 'boat' });
    expect(tags['XMP-iptcCore:CreatorWorkEmail']).toBe('ada@example.com');
    if (format !== 'gif') expect(tags).toMatchObject({ 'IFD0:Model': secrets.model, 'IFD0:Artist': 'Ada' });
    expect(notes).toEqual(expect.arrayContaining([metadataNotes.unknown, metadataNotes.makerNotes]));
  });
});

it.each(['GPS lat: 30.1234567, lon=-40.76', 'at 30.1234567, -40.7654321', `{"latitude":30.1234567}`, `30\u00b0 7' N`])(
  'keeps no text with coordinates without gps, and says so: %s',
  async (text) => {
    const source = insertSegments(await encodeAs(photo, 'jpeg'), segment(0xfe, Buffer.from(text)));
    const read = async (gps: boolean) => {
      const { result, report } = await processFile(source, { scaleFactor: 1, format: 'png', metadata: 'all', gps });
      return { tags: (await readTags([result]))[0] ?? {}, notes: report.notes };
    };
    const without = await read(false);
    expect(without.tags['ExifIFD:UserComment'] ?? without.tags['XMP-exif:UserComment']).toBeUndefined();
    expect(without.notes).toEqual([metadataNotes.coordinates]);
    expect((await read(true)).tags['XMP-exif:UserComment']).toBe(text);
  },
);

it.each([
  ...['48.8584\u00b0 N, 2.2945\u00b0 E', '48.8584\u00b0, 2.2945\u00b0', '48.8584N, 2.2945E', '48\u00b0 N, 2\u00b0 E'],
  ...[
    '48\u00b051\u201930\u201dN',
    '48\u00ba51\u203230\u2033',
    '48\u00b0 51.5 N',
    `48 deg 51' 30.00" N`,
    '48 51 30 N 2 17 40 E',
  ],
  ...['N 48 51.504 E 2 17.67', 'E 2 17.67 N 48 51.504', 'N48.8584 E2.2945', '48:51:30N 2:17:40E', '48,51.504N'],
  ...['lat 48.8584 lon 2.2945', '?mlat=48.85&mlon=2.29', '+48.8584+002.2945/', '+4851-00217/', '\u221233.857, 151.215'],
  ...[
    '48.858, 2.294',
    'at (48.858,2.294)',
    '48.858, 2.294 in Paris',
    '48,8584; 2,2945',
    'q=48.858%2C2.294',
    '48.8584/2.2945',
  ],
  ...['8FW4V75V+8Q', 'at 8FW4V75V+8QX, Paris', '31U DQ 48251 11932', '31UDQ4825111932', '31U 448251 5411932'],
  ...[
    '31U 448251mE 5411932mN',
    '///filled.count.soap',
    'https://maps.app.goo.gl/Ab1',
    'https://www.openstreetmap.org/way/1',
  ],
  ...['https://maps.google.com/?cid=1', 'https://www.google.com/maps?cid=1', 'https://maps.google.co.uk/maps?cid=1'],
  ...['https://osm.org/way/1', 'https://osm.org/go/0BPI', 'https://www.openstreetmap.org/#map=17/48.8/2.2'],
  ...['https://www.openstreetmap.org/?relation=1', 'https://maps.apple.com/?address=1', '31 U DQ 48251 11932'],
  ...['V75V+8Q Paris', 'at V75V+8Q, Paris', '4V75V2+8Q Paris', '48N 371234mE 142345mN', '31UDQ 4825 1193'],
  ...['48.8584,2.2945,17z', '4\x008\x00.\x008\x005\x008\x004\x00,\x002\x00.\x002\x009\x004\x005'],
])('%j contains coordinates', (text) => expect(hasCoordinates(text)).toBe(true));

it.each([
  ...['1.5, 2.5 mm', '1.234, 5.678 mm', 'f/2.8, 1/250', 'Version 10.12, 3.4', 'v1.234, 2.345', '2.123, 1.000, 1.567'],
  ...[
    'Rotated by 12.5\u00b0',
    '20.5\u00b0C, 25.5\u00b0C',
    '90\u00b0 left, 45\u00b0 right',
    '$10.500, 20.000',
    '29.970, 59.940 fps',
  ],
  ...[
    '+49-171/1234567',
    '+49 30 1234567',
    'a long 30.25 m pier',
    '2030:01:31 10:20:30',
    '10:15:30 E. Smith',
    'ISO 100, 0.333 s',
  ],
  ...['\u00a9 OpenStreetMap contributors, https://www.openstreetmap.org/copyright', 'https://www.openstreetmap.org/'],
  ...['12 MAR 2024 1530', '13FEB 2024 1530', '26 SEP 2019 1005', '3 PCS 20240105', '23456789+22', '2345+67 Main'],
  ...['A+B', '12345678+90', 'https://a.example/maps/x', 'file:///home.dir.name/x.jpg', '12 V AC 2030', '2030 WX 12'],
  ...[
    `5' 10" tall`,
    'EF 24-70mm f/2.8L',
    '1,234, 5,678',
    'S 12 of 24, E 3',
    'Copyright 2030, 2031 S. West',
    '12 Elm St, 90210',
  ],
])('%j contains no coordinates', (text) => expect(hasCoordinates(text)).toBe(false));

const place = '48.8584, 2.2945';
const core = 'xmlns:c="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" xmlns:r="http://ns.adobe.com/xap/1.0/rights/"';
const descriptionSegment = (type: number, text: Buffer) =>
  exifSegment(
    writeExif({ image: [{ tag: imageTag.description, type, bytes: text, isLittle: true }], exif: [], gps: [] }),
  );

describe('texts with coordinates that are stored in unusual ways', () => {
  const select = async (metadata: 'all' | 'copyright', gps: boolean, ...segments: Buffer[]) => {
    const file = insertSegments(await encodeAs(photo, 'jpeg'), ...segments);
    const {
      exif,
      xmp = '',
      notes,
    } = selectMetadata(file, 'jpeg', { metadata, gps, format: 'jpeg', width: 1, height: 1 });
    const bytes = exif ? writeExif(exif).toString('latin1').replaceAll('\0', '') : '';
    return { texts: xmp + bytes, notes };
  };

  it.each([
    ['a field of undefined type', descriptionSegment(7, Buffer.from(place))],
    ['a field of bytes', descriptionSegment(1, Buffer.from(place))],
    ['a field of 16-bit numbers', descriptionSegment(3, Buffer.from(place, 'utf16le'))],
    ['UTF-16 in a field for ASCII', descriptionSegment(2, Buffer.from(place, 'utf16le'))],
    ['big-endian UTF-16 in a field for ASCII', descriptionSegment(2, Buffer.from(place, 'utf16le').swap16())],
    [
      'a field inside of a property',
      xmpSegment(makePacket(core, `<c:CreatorContactInfo c:CiUrlWork="https://example.com/?q=${place}"/>`)),
    ],
  ])('are dropped without gps, with a note: %s', async (_, block) => {
    const without = await select('all', false, block);
    expect(without.texts).not.toMatch(/48[., ]/);
    expect(without.notes).toContain(metadataNotes.coordinates);
    expect((await select('all', true, block)).texts).toContain('48.8584');
  });

  it.each(['all', 'copyright'] as const)('are dropped when only author and copyright fit: %s', async (metadata) => {
    const long = `<c:AltTextAccessibility>${'x'.repeat(60_500)}</c:AltTextAccessibility>`;
    const packet = makePacket(`${core} r:WebStatement="https://example.com/?q=${place}" r:Certificate="ours"`, long);
    const { texts, notes } = await select(metadata, false, xmpSegment(packet));
    expect(texts).toContain('ours');
    expect(texts).not.toContain('48.8584');
    expect(notes).toContain(metadataNotes.coordinates);
    if (metadata === 'all') expect(notes).toContain(metadataNotes.tooLong);
  });
});

describe('metadata=all with gps', () => {
  it('keeps the locations of standards, but no foreign namespace, in all formats', async () => {
    for (const { format, tags } of await convert(true)) {
      const values = JSON.stringify(tags);
      expect(values, format).not.toMatch(/SECRET \d/);
      expect(tags, format).toMatchObject({
        'XMP-photoshop:City': 'SECRET city',
        'XMP-photoshop:State': 'SECRET state',
        'XMP-iptcCore:Location': 'SECRET sublocation',
        'XMP-iptcExt:LocationCreatedCity': 'SECRET town',
      });
      expect(tags['XMP-exif:GPSLatitude'], format).toContain('51 deg');
      if (format !== 'gif') expect(tags['GPS:GPSLatitude'], format).toContain('51 deg');
    }
  });
});
