import type { InputFormat } from '@uprez/contracts/policy/image-formats';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { findBlocks } from './blocks/find-blocks.ts';
import type { MetadataBlocks } from './blocks/metadata-blocks.ts';
import { hasCoordinates } from './coordinates.ts';
import { exifTexts, hasLongTexts } from './exif/exif-texts.ts';
import { type ExifFields, readExif } from './exif/read-exif.ts';
import { addSize, addTexts, dropKeywordField, dropTexts, rightsFields, selectExif } from './exif/select-exif.ts';
import { isEmptyExif, writeExif } from './exif/write-exif.ts';
import { type Iptc, readIptc } from './iptc/read-iptc.ts';
import { makePlaceTest } from './place-keywords.ts';
import { readKeyedTexts } from './png-texts.ts';
import { readResolution } from './read-resolution.ts';
import type { Resolution } from './resolution.ts';
import { readXmp, type XmpProperties } from './xmp/read-xmp.ts';
import {
  allNames,
  hasLostRights,
  rightsNames,
  type SelectedValue,
  type SelectedXmp,
  selectXmp,
  toSelected,
  toTexts,
} from './xmp/select-xmp.ts';
import { writeXmp } from './xmp/write-xmp.ts';
import type { XmpName, XmpTexts } from './xmp/xmp-names.ts';

/** Metadata of a result, except its color profile. `notes`: what couldn't be kept. */
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

/** The main packet and the extended one, or a copy that another program wrote. */
const maxPackets = 2;
/** A JPEG segment is limited to 64 KB. */
const maxBlockBytes = 60_000;

type Choice = Pick<ImagePlan['output'], 'metadata' | 'gps' | 'format' | 'width' | 'height' | 'dpi' | 'keepDpi'>;
type Sources = { exif: ExifFields; properties: XmpProperties; iptc: Iptc; keyed: ReturnType<typeof readKeyedTexts> };

/** Select the metadata and the print resolution of a result by the plan. */
export function selectMetadata(file: Buffer, source: InputFormat, choice: Choice): ResultMetadata {
  const kept = selectTexts(file, source, choice);
  const resolution = selectResolution(file, source, choice);
  if (!resolution) return kept;
  if (choice.format === 'gif') return { ...kept, notes: [...kept.notes, metadataNotes.noResolution] };
  return { ...kept, resolution };
}

/** The resolution that was asked for, or that of the source. It is no personal data. */
function selectResolution(
  file: Buffer,
  source: InputFormat,
  { dpi, keepDpi, metadata }: Choice,
): Resolution | undefined {
  if (dpi) return { x: dpi, y: dpi };
  return (keepDpi ?? metadata !== 'none') ? readResolution(file, source) : undefined;
}

/**
 * Select the metadata of a result by the plan: none; author, copyright, and license; or all that an allow-list names, with
 * the location only if `gps` is set. IPTC and PNG texts are converted to XMP. Blocks are written from parsed values, never
 * copied.
 */
function selectTexts(file: Buffer, source: InputFormat, choice: Choice): ResultMetadata {
  if (choice.metadata === 'none') return { notes: [] };
  const blocks = findBlocks(file, source);
  const sources = readSources(blocks);
  const kept = choice.metadata === 'all' ? selectAll(sources, choice.gps) : selectRights(sources, choice.gps);
  const fitting = fit(kept, sources, choice.gps);
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

function selectAll(sources: Sources, gps: boolean): ResultMetadata {
  const names = allNames(gps);
  const xmp = selectXmp(sources.properties, names, gps);
  const { fields, lost } = selectExif(sources.exif, gps);
  const all = { ...toSelected(otherTexts(sources, names)), ...xmp.selected };
  const kept = gps ? { selected: all, fields, notes: [] } : dropLocations(sources, all, fields);
  const hasUnknown = xmp.lost || lost.others || sources.iptc.lost || sources.keyed.lost;
  const notes = [lost.makerNotes ? metadataNotes.makerNotes : [], hasUnknown ? metadataNotes.unknown : []];
  return {
    exif: addTexts(kept.fields, toTexts(kept.selected)),
    xmp: writeXmp(kept.selected),
    notes: [...kept.notes, ...notes.flat()],
  };
}

/** Remove keywords that name places, and texts that contain coordinates. */
function dropLocations(sources: Sources, all: SelectedXmp, fields: ExifFields) {
  const isPlace = makePlaceTest({ properties: sources.properties, ...sources.iptc });
  const named = dropKeywords(all, isPlace);
  const selected = dropItems(named, hasCoordinates);
  const kept = dropTexts(dropKeywordField(fields, isPlace), hasCoordinates);
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

function selectRights(sources: Sources, gps: boolean): ResultMetadata {
  const { selected } = selectXmp(sources.properties, rightsNames, false);
  const all: SelectedXmp = { ...toSelected(otherTexts(sources, rightsNames)), ...selected };
  const rights = gps ? all : dropItems(all, hasCoordinates);
  const { artist, copyright } = rightsFields(toTexts(rights));
  const image = [artist ?? [], copyright ?? []].flat();
  const isLost = hasLostRights(sources.properties, selected) || sources.keyed.lostRights;
  const notes = [
    ...(countTexts(rights) < countTexts(all) ? [metadataNotes.coordinates] : []),
    ...(isLost ? [metadataNotes.unknown] : []),
  ];
  return { exif: { image, exif: [], gps: [] }, xmp: writeXmp(rights), notes };
}

/** Texts of IPTC, EXIF, and PNG texts, in this order of precedence. */
function otherTexts({ exif, iptc, keyed }: Sources, names: readonly XmpName[]): XmpTexts {
  const all: XmpTexts = { ...keyed.texts, ...exifTexts(exif), ...iptc.texts };
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name as XmpName)));
}

function dropKeywords(selected: SelectedXmp, isPlace: (keyword: string) => boolean): SelectedXmp {
  const { 'dc:subject': keywords, ...others } = selected;
  return keywords ? { ...others, ...dropItems({ 'dc:subject': keywords }, isPlace) } : selected;
}

/** Remove the texts of which `isLocation` is true, and properties without others. */
function dropItems(selected: SelectedXmp, isLocation: (text: string) => boolean): SelectedXmp {
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

/** Reduce metadata that is too large for a segment to author and copyright. */
function fit(kept: ResultMetadata, sources: Sources, gps: boolean): ResultMetadata {
  const used = { ...kept, exif: kept.exif && !isEmptyExif(kept.exif) ? kept.exif : undefined };
  if (isFitting(used)) return used;
  const rights = selectRights(sources, gps);
  const notes = [...new Set([...kept.notes, ...rights.notes, metadataNotes.tooLong])];
  return isFitting(rights) ? { ...rights, notes } : { notes: [...kept.notes, metadataNotes.unread] };
}

const isFitting = ({ exif, xmp = '' }: ResultMetadata) =>
  Buffer.byteLength(xmp) <= maxBlockBytes && (!exif || writeExif(exif).length <= maxBlockBytes);
