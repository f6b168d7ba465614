import { type Encoding, isExponent, isSrgb, readCodes, readExponents, type SourceColor } from './encoding.ts';
import { type Gamut, isGamut, srgbGamut } from './gamut.ts';

const signatureBytes = 8;
/** Length and type before the data of a chunk, and its CRC after it. */
const [headBytes, sumBytes] = [8, 4];
/** Real files have a few chunks before their pixels. */
const maxChunks = 4_096;
/** cHRM and gAMA store 100,000 times their values. */
const unit = 100_000;

/** Data of a chunk in the file. */
export type PngChunk = { name: string; start: number; end: number };

/** The chunks of a PNG before its pixels, up to the first damaged one. */
export function listPngChunks(file: Uint8Array): PngChunk[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks: PngChunk[] = [];
  for (let at = signatureBytes; at + headBytes <= file.length && chunks.length < maxChunks; ) {
    const name = String.fromCharCode(...file.subarray(at + 4, at + headBytes));
    const start = at + headBytes;
    const end = start + view.getUint32(at);
    if (name === 'IDAT' || end + sumBytes > file.length) break;
    chunks.push({ name, start, end });
    at = end + sumBytes;
  }
  return chunks;
}

/**
 * The colors of a PNG by the precedence of its third edition: cICP, iCCP, sRGB, gAMA with cHRM. Damaged chunks don't count.
 * `hasProfile`: whether its profile can be used, by default if there is one.
 */
export function readPngColor(file: Uint8Array, options: { hasProfile?: boolean } = {}): SourceColor {
  const chunks = listPngChunks(file);
  const dataOf = (name: string, bytes: number) => {
    const chunk = chunks.find((other) => other.name === name);
    if (!chunk || chunk.end - chunk.start !== bytes) return undefined;
    return new DataView(file.buffer, file.byteOffset + chunk.start, bytes);
  };
  const { hasProfile = findProfile(chunks) !== undefined } = options;
  const codes = dataOf('cICP', 4);
  const coded = codes && readCicp(codes);
  if (coded) return isSrgb(coded) && !hasProfile ? { kind: 'srgb' } : { kind: 'encoded', encoding: coded };
  if (hasProfile) return { kind: 'embedded' };
  if (dataOf('sRGB', 1)) return { kind: 'srgb' };
  const encoding = readGamma(dataOf('gAMA', 4), dataOf('cHRM', 32));
  return encoding && !isSrgb(encoding) ? { kind: 'encoded', encoding } : { kind: 'srgb' };
}

const findProfile = (chunks: PngChunk[]) => chunks.find(({ name }) => name === 'iCCP');

/** The chunk with the profile of a PNG. */
export const findPngProfile = (file: Uint8Array): PngChunk | undefined => findProfile(listPngChunks(file));

/** Pixels of a PNG are red, green, and blue, so its matrix is 0. Browsers ignore the flag of a narrow range. */
function readCicp(data: DataView): Encoding | undefined {
  const [primaries, transfer, matrix] = [data.getUint8(0), data.getUint8(1), data.getUint8(2)];
  return matrix === 0 ? readCodes({ primaries, transfer }, { usesCameraCurve: true }) : undefined;
}

/** Browsers ignore chromaticities without a gamma, and a gamma with chromaticities that aren't those of a display. */
function readGamma(gamma: DataView | undefined, chroma: DataView | undefined): Encoding | undefined {
  const exponent = gamma ? unit / gamma.getUint32(0) : Number.NaN;
  if (!isExponent(exponent)) return undefined;
  const gamut = chroma ? readGamut(chroma) : srgbGamut;
  return isGamut(gamut) ? readExponents(gamut, [exponent, exponent, exponent]) : undefined;
}

/** The chunk begins with white. */
function readGamut(data: DataView): Gamut {
  const values = Array.from({ length: 8 }, (_, i) => data.getInt32(4 * i) / unit);
  return [...values.slice(2), ...values.slice(0, 2)];
}
