import { type ExifField, readValue, wordBytes } from './exif/read-exif.ts';

/** Print resolution in pixels per inch, horizontal and vertical. */
export type Resolution = { x: number; y: number };

/** Tags (TIFF 6.0, section 8): XResolution, YResolution, ResolutionUnit. */
const tags = { x: 0x01_1a, y: 0x01_1b, unit: 0x01_28 } as const;
const [shortType, rationalType] = [3, 5];
const units = { none: 1, inch: 2, centimeter: 3 } as const;
export const centimetersPerInch = 2.54;
/** Maximum resolution, in pixels per inch. JPEG stores it in 16 bits. */
const maxResolution = 65_535;
/**
 * Rounding tolerance, in pixels per inch. If a whole number per inch is stored per meter or centimeter, it changes by
 * less than this.
 */
const roundingTolerance = 0.05;

/**
 * Restores whole numbers that were rounded when they were stored. Rounds other values to two decimals. Returns
 * undefined for invalid resolutions.
 */
export function toResolution(x: number, y: number): Resolution | undefined {
  const round = (value: number) =>
    Math.abs(value - Math.round(value)) < roundingTolerance ? Math.round(value) : Math.round(value * 100) / 100;
  const [across, down] = [round(x), round(y)];
  return [across, down].every((value) => value >= 1 && value <= maxResolution) ? { x: across, y: down } : undefined;
}

/** Reads the resolution from the fields of the main directory. Returns undefined if they don't contain a resolution. */
export function readResolutionFields(fields: readonly ExifField[]): Resolution | undefined {
  const find = (tag: number) => fields.find((field) => field.tag === tag);
  const [x, y, unit] = [find(tags.x), find(tags.y), find(tags.unit)];
  const used = unit ? readValue(unit) : units.inch;
  if (!x || (used !== units.inch && used !== units.centimeter)) return undefined;
  const perInch = used === units.centimeter ? centimetersPerInch : 1;
  return toResolution(readRatio(x) * perInch, readRatio(y ?? x) * perInch);
}

function readRatio(field: ExifField): number {
  if (field.type !== rationalType || field.bytes.length < 8) return wordBytes(field.type) > 1 ? readValue(field) : 0;
  const { bytes, isLittle } = field;
  const [numerator, denominator] = [0, 4].map((at) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)));
  return (numerator ?? 0) / (denominator || Number.NaN);
}

export const makeResolutionFields = ({ x, y }: Resolution): ExifField[] => [
  { tag: tags.x, type: rationalType, bytes: encodeRatio(x), isLittle: true },
  { tag: tags.y, type: rationalType, bytes: encodeRatio(y), isLittle: true },
  { tag: tags.unit, type: shortType, bytes: Buffer.from([units.inch, 0]), isLittle: true },
];

function encodeRatio(value: number): Buffer {
  const denominator = Number.isInteger(value) ? 1 : 100;
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(Math.round(value * denominator), 0);
  bytes.writeUInt32LE(denominator, 4);
  return bytes;
}
