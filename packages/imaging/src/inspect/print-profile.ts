import { AppError } from '@uprez/contracts/errors/app-error';
import { headerBytes, readTags } from './icc-profile.ts';

/** Maximum size of a profile for print, in bytes. Each result contains its profile. */
export const maxPrintProfileBytes = 4 * 1024 * 1024;
/** Major versions of ICC profiles that decoders read. */
const knownVersions = [2, 4];
/** Table that converts colors to inks, by the perceptual intent. */
const toInkTag = 'B2A0';
const maxDescription = 100;

/** Reads the description of a CMYK profile. Throws AppError `invalid_parameter` for other files. */
export function readPrintProfile(icc: Buffer, name: string): { description: string } {
  const problem = findProblem(icc);
  if (problem)
    throw new AppError('invalid_parameter', {
      detail: `"${name}" can't be used for print, because it ${problem}. Use an ICC profile of a CMYK printer.`,
      param: 'printProfile',
    });
  const tag = readTags(icc).get('desc');
  return { description: (tag && readDescription(tag)) || name };
}

/** Returns why a file isn't a CMYK profile of an output device (ICC.1:2022, 7.2). */
function findProblem(icc: Buffer): string | undefined {
  if (icc.length > maxPrintProfileBytes) return `is larger than ${maxPrintProfileBytes / 1024 / 1024} MB`;
  const textAt = (at: number) => icc.toString('latin1', at, at + 4);
  if (icc.length < headerBytes + 4 || textAt(36) !== 'acsp') return "isn't an ICC profile";
  if (icc.readUInt32BE(0) > icc.length) return 'is incomplete';
  if (!knownVersions.includes(icc[8] ?? 0)) return `has version ${icc[8]} instead of ${knownVersions.join(' or ')}`;
  if (textAt(16) !== 'CMYK') return `has the colors "${textAt(16).trim()}" instead of CMYK`;
  if (textAt(12) !== 'prtr') return "isn't a profile of an output device";
  return readTags(icc).has(toInkTag) ? undefined : 'has no table for converting colors to CMYK';
}

/** Reads a textDescriptionType (ICC.1:2001, 6.5.17) or a multiLocalizedUnicodeType (ICC.1:2022, 10.15). */
function readDescription(tag: Buffer): string | undefined {
  const text = tag.toString('latin1', 0, 4) === 'mluc' ? readLocalized(tag) : readAscii(tag);
  return text?.replace(/\p{C}/gu, '').trim().slice(0, maxDescription);
}

const readAscii = (tag: Buffer): string | undefined =>
  tag.length < 12 ? undefined : tag.toString('latin1', 12, 12 + tag.readUInt32BE(8));

const recordBytes = 12;

/** Returns the English text, or else the first one. */
function readLocalized(tag: Buffer): string | undefined {
  if (tag.length < 16) return undefined;
  const fitting = Math.floor((tag.length - 16) / recordBytes);
  const records = Array.from({ length: Math.min(tag.readUInt32BE(8), fitting) }, (_, i) => 16 + i * recordBytes);
  const chosen = records.find((at) => tag.toString('latin1', at, at + 2) === 'en') ?? records[0];
  if (chosen === undefined) return undefined;
  const start = tag.readUInt32BE(chosen + 8);
  const bytes = Buffer.from(tag.subarray(start, start + tag.readUInt32BE(chosen + 4)));
  return bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString('utf16le');
}
