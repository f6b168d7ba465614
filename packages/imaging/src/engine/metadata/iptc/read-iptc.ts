import { decodeLatin1, decodeText } from '../blocks/decode-text.ts';
import type { XmpName, XmpTexts } from '../xmp/xmp-names.ts';

/** XMP properties by data set number in record 2 of IPTC IIM 4.2 (IPTC Photo Metadata mapping). */
const xmpNamesByDataSet: Readonly<Record<number, XmpName>> = {
  5: 'dc:title',
  10: 'photoshop:Urgency',
  12: 'Iptc4xmpCore:SubjectCode',
  15: 'photoshop:Category',
  20: 'photoshop:SupplementalCategories',
  25: 'dc:subject',
  40: 'photoshop:Instructions',
  80: 'dc:creator',
  85: 'photoshop:AuthorsPosition',
  90: 'photoshop:City',
  92: 'Iptc4xmpCore:Location',
  95: 'photoshop:State',
  100: 'Iptc4xmpCore:CountryCode',
  101: 'photoshop:Country',
  103: 'photoshop:TransmissionReference',
  105: 'photoshop:Headline',
  110: 'photoshop:Credit',
  115: 'photoshop:Source',
  116: 'dc:rights',
  120: 'dc:description',
  122: 'photoshop:CaptionWriter',
};
/** Data set numbers of Record Version, Content Location Code, and Content Location Name. */
const [recordVersion, placeCode, placeName] = [0, 26, 27];
const dateCreated = 55;
const marker = 0x1c;
const photoshopName = Buffer.from('Photoshop 3.0\0', 'latin1');
const resourceMark = '8BIM';
const iptcResource = 0x0404;
/**
 * IDs of Photoshop resources with copies of EXIF data and XMP. They are skipped, because EXIF data and XMP are read
 * only from their own blocks.
 */
const copiedResources = [0x0422, 0x0423, 0x0424];
const characterSet = 90;
/** ISO 2022 escape sequences that declare Latin-1. Other sequences declare UTF-8 or aren't meaningful. */
const latin1EscapeSequences = ['\x1b-A', '\x1b.A', '\x1b/A'];

/** Maximum number of data sets, and maximum total size in bytes. Programs write less. */
const [maxDataSets, maxBytes] = [2_000, 1_024 * 1_024];

/**
 * `places`: place names and codes for which no property exists. `lost`: whether data wasn't read. This covers data sets
 * without a property, data above the limits, and copies of EXIF data or XMP.
 */
export type Iptc = { texts: XmpTexts; places: string[]; lost: boolean };

type DataSet = { record: number; number: number; value: Buffer };

/**
 * Parses the texts of an IPTC block, which is either bare or in Photoshop resources, as in JPEG files. Stops at
 * malformed data.
 */
export function readIptc(block: Buffer): Iptc {
  const { data: all, hasCopies } = findIptc(block);
  const sets = readDataSets(all.subarray(0, maxBytes));
  const announced = sets
    .find(({ record, number }) => record === 1 && number === characterSet)
    ?.value.toString('latin1');
  const decode = latin1EscapeSequences.includes(announced ?? '') ? decodeLatin1 : decodeText;
  const iptc: Iptc = { texts: {}, places: [], lost: hasCopies || all.length > maxBytes || sets.length > maxDataSets };
  for (const { number, value } of sets.slice(0, maxDataSets).filter(({ record }) => record === 2)) {
    const name = xmpNamesByDataSet[number];
    const text = decode(value);
    const known = name && iptc.texts[name];
    if (known) known.push(text);
    else if (name) iptc.texts[name] = [text];
    else if (number === dateCreated) iptc.texts['photoshop:DateCreated'] ??= [formatDate(text)];
    else if (number === placeName || number === placeCode) iptc.places.push(text);
    else iptc.lost ||= number !== recordVersion;
  }
  return iptc;
}

/** Formats `20300131` as `2030-01-31`. */
const formatDate = (text: string) => text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');

/**
 * Returns the data sets up to the limit. If there are more, also returns the next one, which tells the caller that the
 * limit is exceeded.
 */
function readDataSets(iim: Buffer): DataSet[] {
  const sets: DataSet[] = [];
  for (const set of listDataSets(iim)) {
    sets.push(set);
    if (sets.length > maxDataSets) break;
  }
  return sets;
}

function* listDataSets(iim: Buffer): Generator<DataSet> {
  for (let at = 0; at + 5 <= iim.length && iim[at] === marker; ) {
    const length = iim.readUInt16BE(at + 3);
    // Stops at lengths above 32,767, which mark extended data sets. Texts never use these.
    if (length > 0x7fff) return;
    const value = iim.subarray(at + 5, at + 5 + length);
    if (length > 0) yield { record: iim[at + 1] ?? 0, number: iim[at + 2] ?? 0, value };
    at += 5 + length;
  }
}

/**
 * Finds the IPTC resource in Photoshop resources. Each resource consists of `8BIM`, the ID, a padded name, the length,
 * and padded data.
 */
function findIptc(block: Buffer): { data: Buffer; hasCopies: boolean } {
  const start = block.subarray(0, photoshopName.length).equals(photoshopName) ? photoshopName.length : 0;
  if (block[start] === marker) return { data: block.subarray(start), hasCopies: false };
  let data: Buffer | undefined;
  let hasCopies = false;
  for (let at = start; at + 12 <= block.length; ) {
    if (block.toString('latin1', at, at + 4) !== resourceMark) break;
    const nameBytes = ((block[at + 6] ?? 0) + 2) & ~1;
    const dataAt = at + 6 + nameBytes + 4;
    if (dataAt > block.length) break;
    const length = block.readUInt32BE(dataAt - 4);
    const id = block.readUInt16BE(at + 4);
    if (id === iptcResource) data ??= block.subarray(dataAt, dataAt + length);
    hasCopies ||= copiedResources.includes(id);
    at = dataAt + length + (length % 2);
  }
  return { data: data ?? Buffer.alloc(0), hasCopies };
}
