import type { InputFormat } from '@uprez/contracts/policy/images/image-formats';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { maxTextBytes, trimEnd } from './blocks/decode-text.ts';
import { findBlocks, type KeyedText, type MetadataBlocks } from './blocks/find-blocks.ts';
import { hasCoordinates } from './coordinates.ts';
import { exifTexts, hasLongTexts } from './exif/exif-texts.ts';
import { type ExifFields, readExif } from './exif/read-exif.ts';
import { addSize, addTexts, dropPlaceKeywords, dropTexts, makeRightsFields, selectExif } from './exif/select-exif.ts';
import { isEmptyExif, writeExif } from './exif/write-exif.ts';
import { type Iptc, readIptc } from './iptc/read-iptc.ts';
import { centimetersPerInch, type Resolution, readResolutionFields, toResolution } from './resolution.ts';
import { aiMark } from './xmp/ai-mark.ts';
import { readXmp, type XmpProperties, type XmpValue } from './xmp/read-xmp.ts';
import {
  hasLostRights,
  listKeptNames,
  rightsNames,
  type SelectedValue,
  type SelectedXmp,
  selectXmp,
  toSelectedXmp,
  toTexts,
} from './xmp/select-xmp.ts';
import { writeXmp } from './xmp/write-xmp.ts';
import { locationForms, type XmpName, type XmpTexts } from './xmp/xmp-names.ts';

/** Patterns of keywords that reveal a location: machine tags, such as `geo:lat=51.5`, and coordinates. */
const machineTagPattern = /^(geo|gps|place|location|country|state|city|lat|lon|lng|latitude|longitude)[\w:.-]*\s*[=:]/i;
const geotaggedPattern = /^geo-?tag(ged)?$/i;
const coordinatesPattern = /^[NSEW]?\s*[-+]?\d{1,3}([.,]\d{3,}|\s*[\u00b0\u00ba])/i;
/** Properties of Lightroom, digiKam, and Windows that list keywords as paths, such as `Places|Europe|Lyon`. */
const keywordPathPattern =
  /:(hierarchicalSubject|HierarchicalKeywords|TagsList|LastKeywordXMP|LastKeywordIPTC|CatalogSets)$/;
const placeRootPattern = /^(places?|locations?|country|countries|city|cities|geo\w*)$/i;
const placeNamePattern = /city|country|state|province|location|region|coverage|place/i;
const toLocalName = (name: string) => name.slice(name.lastIndexOf(':') + 1);

type PlaceSources = { properties: XmpProperties; texts: XmpTexts; places: readonly string[] };

function collectPlaces({ properties, texts, places }: PlaceSources): Set<string> {
  const own = (Object.keys(locationForms) as XmpName[]).flatMap((name) => texts[name] ?? []);
  const named = [...properties].flatMap(([name, value]) => {
    if (keywordPathPattern.test(name)) return listTexts(value).flatMap(listPlacePathParts);
    return placeNamePattern.test(toLocalName(name)) ? listTexts(value) : [];
  });
  return new Set([...own, ...named, ...places].map(normalizeKeyword).filter((text) => text !== ''));
}

const normalizeKeyword = (text: string) => text.trim().toLowerCase();

function listPlacePathParts(path: string): string[] {
  const parts = path.split(/[|/]/);
  return placeRootPattern.test(parts[0]?.trim() ?? '') ? parts : [];
}

function listTexts(value: XmpValue): string[] {
  if (value.kind === 'text') return [value.text];
  return (value.kind === 'list' ? value.items : [...value.fields.values()]).flatMap(listTexts);
}

/**
 * Creates a function that returns whether a keyword reveals where a photo was taken: it either looks like a location,
 * or is listed as a place in other metadata.
 */
function makePlaceTest(sources: PlaceSources): (keyword: string) => boolean {
  const places = collectPlaces(sources);
  return (keyword) => {
    const text = normalizeKeyword(keyword);
    return (
      machineTagPattern.test(text) ||
      geotaggedPattern.test(text) ||
      coordinatesPattern.test(text) ||
      hasCoordinates(text) ||
      places.has(text)
    );
  };
}

/** Metadata of a result, except for its color profile. `notes`: notes about metadata that couldn't be kept. */
export type ResultMetadata = {
  exif?: ExifFields | undefined;
  xmp?: string | undefined;
  resolution?: Resolution | undefined;
  notes: string[];
};

export const metadataNotes = {
  tooLong: 'The metadata was too large. Only author and copyright were kept.',
  unread: "Some metadata is damaged or too large and wasn't kept.",
  makerNotes: "Maker notes weren't kept, because they may contain the location.",
  coordinates:
    "Texts that contain a location, such as coordinates or a map link, weren't kept. To keep them, keep the location.",
  unknown: "Metadata fields that Uprez doesn't support weren't kept.",
  noResolution: "GIF doesn't support a print resolution, so none was written.",
  noExif: "GIF doesn't support EXIF. The metadata was kept as XMP as far as possible.",
} as const;

/** Allows for the main packet and either the extended packet or a copy written by another program. */
const maxPackets = 2;
/** Maximum size of a metadata block, in bytes. A JPEG segment is limited to 64 KB. */
const maxBlockBytes = 60_000;

/** `isMarked`: whether to mark the result as enhanced by a model, instead of any mark of the source. */
type Choice = Pick<ImagePipeline['output'], 'metadata' | 'gps' | 'format' | 'width' | 'height' | 'dpi' | 'keepDpi'> & {
  isMarked?: boolean;
};
type Sources = { exif: ExifFields; properties: XmpProperties; iptc: Iptc; keyed: ReturnType<typeof readKeyedTexts> };

const makeMark = ({ isMarked }: Choice): SelectedXmp => (isMarked ? aiMark : {});

export function selectMetadata(file: Buffer, source: InputFormat, choice: Choice): ResultMetadata {
  const kept = selectTexts(file, source, choice);
  const resolution = selectResolution(file, source, choice);
  if (!resolution) return kept;
  if (choice.format === 'gif') return { ...kept, notes: [...kept.notes, metadataNotes.noResolution] };
  return { ...kept, resolution };
}

/**
 * Selects the resolution to write. `keepDpi` applies even if no other metadata is kept, because the resolution isn't
 * personal data.
 */
function selectResolution(
  file: Buffer,
  source: InputFormat,
  { dpi, keepDpi, metadata }: Choice,
): Resolution | undefined {
  if (dpi) return { x: dpi, y: dpi };
  return (keepDpi ?? metadata !== 'none') ? readResolution(file, source) : undefined;
}

/**
 * Selects the metadata that the pipeline keeps in the result: none, only author, copyright, and license, or everything
 * on an allow-list. The location is included only if `gps` is set. IPTC and PNG text is converted to XMP. Blocks are
 * written from parsed values, never copied.
 */
function selectTexts(file: Buffer, source: InputFormat, choice: Choice): ResultMetadata {
  if (choice.metadata === 'none') return { xmp: writeXmp(makeMark(choice)), notes: [] };
  const blocks = findBlocks(file, source);
  const sources = readSources(blocks);
  const kept = choice.metadata === 'all' ? selectAll(sources, choice) : selectRights(sources, choice);
  const fitting = fitToSegment(kept, sources, choice);
  const notes = [...(sources.unread ? [metadataNotes.unread] : []), ...fitting.notes];
  if (!fitting.exif) return { ...fitting, notes };
  if (choice.format === 'gif') return { xmp: fitting.xmp, notes: [...notes, metadataNotes.noExif] };
  return { ...fitting, exif: addSize(fitting.exif, choice), notes };
}

function readSources(blocks: MetadataBlocks): Sources & { unread: boolean } {
  const packets = blocks.xmp.slice(0, maxPackets).map((packet) => readXmp(packet));
  const exif = blocks.exif && readExif(blocks.exif);
  const keyed = readKeyedTexts(blocks.texts);
  return {
    exif: exif ?? { image: [], exif: [], gps: [] },
    properties: new Map(packets.reverse().flatMap((properties) => [...(properties ?? [])])),
    iptc: blocks.iptc ? readIptc(blocks.iptc) : { texts: {}, places: [], lost: false },
    keyed,
    unread: [
      ...[blocks.unread === true, blocks.xmp.length > maxPackets, packets.includes(undefined), keyed.tooLong],
      blocks.exif !== undefined && (!exif || hasLongTexts(exif)),
    ].includes(true),
  };
}

function selectAll(sources: Sources, choice: Choice): ResultMetadata {
  const { gps } = choice;
  const names = listKeptNames(gps);
  const xmp = selectXmp(sources.properties, names, gps);
  const { fields, lost } = selectExif(sources.exif, gps);
  const all = { ...toSelectedXmp(otherTexts(sources, names)), ...xmp.selected };
  const kept = gps ? { selected: all, fields, notes: [] } : dropLocations(sources, all, fields);
  const hasUnknown = xmp.lost || lost.others || sources.iptc.lost || sources.keyed.lost;
  const notes = [lost.makerNotes ? metadataNotes.makerNotes : [], hasUnknown ? metadataNotes.unknown : []];
  return {
    exif: addTexts(kept.fields, toTexts(kept.selected)),
    xmp: writeXmp({ ...kept.selected, ...makeMark(choice) }),
    notes: [...kept.notes, ...notes.flat()],
  };
}

function dropLocations(sources: Sources, all: SelectedXmp, fields: ExifFields) {
  const isPlace = makePlaceTest({ properties: sources.properties, ...sources.iptc });
  const named = dropKeywords(all, isPlace);
  const selected = dropLocationTexts(named, hasCoordinates);
  const kept = dropTexts(dropPlaceKeywords(fields, isPlace), hasCoordinates);
  const hasLost =
    countTexts(selected) < countTexts(named) ||
    kept.image.length + kept.exif.length < fields.image.length + fields.exif.length;
  return { selected, fields: kept, notes: hasLost ? [metadataNotes.coordinates] : [] };
}

function countTexts(values: SelectedXmp): number {
  const counts = Object.values(values).map((value) =>
    'items' in value ? value.items.length : value.fields.reduce((sum, fields) => sum + Object.keys(fields).length, 0),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function selectRights(sources: Sources, choice: Choice): ResultMetadata {
  const { selected } = selectXmp(sources.properties, rightsNames, false);
  const all: SelectedXmp = { ...toSelectedXmp(otherTexts(sources, rightsNames)), ...selected };
  const rights = choice.gps ? all : dropLocationTexts(all, hasCoordinates);
  const { artist, copyright } = makeRightsFields(toTexts(rights));
  const image = [artist ?? [], copyright ?? []].flat();
  const isLost = hasLostRights(sources.properties, selected) || sources.keyed.lostRights;
  const notes = [
    ...(countTexts(rights) < countTexts(all) ? [metadataNotes.coordinates] : []),
    ...(isLost ? [metadataNotes.unknown] : []),
  ];
  return { exif: { image, exif: [], gps: [] }, xmp: writeXmp({ ...rights, ...makeMark(choice) }), notes };
}

/** Returns the texts from IPTC, EXIF, and PNG, in this order of precedence. */
function otherTexts({ exif, iptc, keyed }: Sources, names: readonly XmpName[]): XmpTexts {
  const all: XmpTexts = { ...keyed.texts, ...exifTexts(exif), ...iptc.texts };
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name as XmpName)));
}

function dropKeywords(selected: SelectedXmp, isPlace: (keyword: string) => boolean): SelectedXmp {
  const { 'dc:subject': keywords, ...others } = selected;
  return keywords ? { ...others, ...dropLocationTexts({ 'dc:subject': keywords }, isPlace) } : selected;
}

function dropLocationTexts(selected: SelectedXmp, isLocation: (text: string) => boolean): SelectedXmp {
  const kept: SelectedXmp = {};
  for (const [name, value] of Object.entries(selected) as [XmpName, SelectedValue][]) {
    if ('items' in value) {
      const items = value.items.filter(({ text }) => !isLocation(text));
      if (items.length > 0) kept[name] = { items };
      continue;
    }
    const fields = value.fields.map((texts) =>
      Object.fromEntries(Object.entries(texts).filter(([, text]) => !isLocation(text))),
    );
    const filled = fields.filter((texts) => Object.keys(texts).length > 0);
    if (filled.length > 0) kept[name] = { fields: filled };
  }
  return kept;
}

/**
 * Reduces metadata that is too large for a segment to author, copyright, and license. Drops these too if they are too
 * large, and keeps only the mark.
 */
function fitToSegment(kept: ResultMetadata, sources: Sources, choice: Choice): ResultMetadata {
  const used = { ...kept, exif: kept.exif && !isEmptyExif(kept.exif) ? kept.exif : undefined };
  if (fitsSegment(used)) return used;
  const rights = selectRights(sources, choice);
  const notes = [...new Set([...kept.notes, ...rights.notes, metadataNotes.tooLong])];
  if (fitsSegment(rights)) return { ...rights, notes };
  return { xmp: writeXmp(makeMark(choice)), notes: [...kept.notes, metadataNotes.unread] };
}

const fitsSegment = ({ exif, xmp = '' }: ResultMetadata) =>
  Buffer.byteLength(xmp) <= maxBlockBytes && (!exif || writeExif(exif).length <= maxBlockBytes);

/** XMP properties by keyword (PNG 3, 11.3.3.1; XMP Specification Part 3, 1.1.6). */
const xmpNamesByKeyword = new Map<string, XmpName>([
  ['Author', 'dc:creator'],
  ['Copyright', 'dc:rights'],
  ['Title', 'dc:title'],
  ['Description', 'dc:description'],
  ['Source', 'photoshop:Source'],
  ['Software', 'xmp:CreatorTool'],
  ['Comment', 'exif:UserComment'],
]);
const rightsKeywordPattern = /author|copyright|license|licence|disclaimer|rights/i;

/**
 * `lost`: whether keywords without a property, or additional texts for a keyword, were dropped. `lostRights`: whether
 * any of the dropped texts were about rights. `tooLong`: whether the text of a supported keyword is too long.
 */
type KeyedTextResult = { texts: XmpTexts; lost: boolean; lostRights: boolean; tooLong: boolean };

/** Reads keyed texts as XMP properties. If a keyword occurs several times, the first text takes precedence. */
export function readKeyedTexts(texts: readonly KeyedText[]): KeyedTextResult {
  const found: XmpTexts = {};
  let [lost, lostRights, tooLong] = [false, false, false];
  for (const { keyword, text } of texts) {
    const name = xmpNamesByKeyword.get(keyword);
    const value = trimEnd(text, '\0');
    if (value.trim() === '') continue;
    const known = name && found[name]?.[0];
    if (name && value.length > maxTextBytes) tooLong = true;
    else if (name && known === undefined) found[name] = [value];
    else if (known !== value) {
      lost = true;
      lostRights ||= name ? rightsNames.includes(name) : rightsKeywordPattern.test(keyword);
    }
  }
  return { texts: found, lost, lostRights, tooLong };
}

const inchesPerMeter = 100 / centimetersPerInch;

/** Reads the print resolution of an image from its header, or from EXIF data if the header has none. Never throws. */
export function readResolution(file: Buffer, format: InputFormat): Resolution | undefined {
  const ofHeader = readers[format]?.(file);
  if (ofHeader) return ofHeader;
  const { exif } = findBlocks(file, format);
  return exif && readResolutionFields(readExif(exif)?.image ?? []);
}

const readers: Partial<Record<InputFormat, (file: Buffer) => Resolution | undefined>> = {
  jpeg: readJfifResolution,
  png: readPngResolution,
  bmp: readBmpResolution,
};

/**
 * Reads the JFIF segment (ITU-T T.871), which is the first segment. The unit is 1 for inches and 2 for centimeters. 0
 * means that only an aspect ratio is stored.
 */
function readJfifResolution(file: Buffer): Resolution | undefined {
  if (file.length < 18 || file.readUInt16BE(2) !== 0xff_e0 || file.toString('latin1', 6, 11) !== 'JFIF\0')
    return undefined;
  const perInch = { 1: 1, 2: centimetersPerInch }[file[13] ?? 0];
  return perInch ? toResolution(file.readUInt16BE(14) * perInch, file.readUInt16BE(16) * perInch) : undefined;
}

const signatureBytes = 8;
const chunkBytes = 12;

/**
 * Reads the pHYs chunk (PNG 3, 11.3.5.3), which precedes the pixels. Values are per meter. Without a unit, they are
 * only an aspect ratio.
 */
function readPngResolution(file: Buffer): Resolution | undefined {
  for (let at = signatureBytes; at + chunkBytes <= file.length; at += chunkBytes + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') return undefined;
    if (type !== 'pHYs' || at + 17 > file.length) continue;
    const [x, y, unit] = [file.readUInt32BE(at + 8), file.readUInt32BE(at + 12), file[at + 16]];
    return unit === 1 ? toResolution(x / inchesPerMeter, y / inchesPerMeter) : undefined;
  }
  return undefined;
}

/** Reads the pixels per meter from headers that include them (BITMAPINFOHEADER). A value of 0 means unknown. */
function readBmpResolution(file: Buffer): Resolution | undefined {
  const headerBytes = 40;
  if (file.length < 46 || file.readUInt32LE(14) < headerBytes) return undefined;
  return toResolution(file.readInt32LE(38) / inchesPerMeter, file.readInt32LE(42) / inchesPerMeter);
}
