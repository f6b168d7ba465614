import { type Encoding, isExponent, isSrgb, readCodes, readExponents, type SourceColor } from './encoding.ts';
import { type Gamut, isGamut, srgbGamut } from './gamut.ts';

const signatureBytes = 8;
/** Number of bytes before the data of a chunk (length and type) and after it (CRC). */
const [headBytes, sumBytes] = [8, 4];
/** Maximum number of chunks to read. Real files have only a few before the pixels. */
const maxChunks = 4_096;
/** cHRM and gAMA store values multiplied by 100,000. */
const fixedPointScale = 100_000;

/** Byte range of a chunk's data in the file. */
export type PngChunk = { name: string; start: number; end: number };

/** Lists the chunks before the pixels of a PNG, up to the first damaged chunk. */
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
 * Reads the colors of a PNG by the precedence in the third edition of the standard: cICP, iCCP, sRGB, then gAMA with
 * cHRM. Damaged chunks are ignored. `hasProfile`: whether the profile can be used. Defaults to whether the file has a
 * profile.
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

export const findPngProfile = (file: Uint8Array): PngChunk | undefined => findProfile(listPngChunks(file));

/**
 * Returns undefined unless the matrix is 0, because PNG pixels are RGB. Ignores the flag for narrow range, as browsers
 * do.
 */
function readCicp(data: DataView): Encoding | undefined {
  const [primaries, transfer, matrix] = [data.getUint8(0), data.getUint8(1), data.getUint8(2)];
  return matrix === 0 ? readCodes({ primaries, transfer }, { usesCameraCurve: true }) : undefined;
}

/**
 * Behaves like browsers: ignores chromaticities without a gamma, and ignores a gamma if its chromaticities aren't
 * plausible for a display.
 */
function readGamma(gamma: DataView | undefined, chroma: DataView | undefined): Encoding | undefined {
  const exponent = gamma ? fixedPointScale / gamma.getUint32(0) : Number.NaN;
  if (!isExponent(exponent)) return undefined;
  const gamut = chroma ? readGamut(chroma) : srgbGamut;
  return isGamut(gamut) ? readExponents(gamut, [exponent, exponent, exponent]) : undefined;
}

/** Moves the white point to the end, because it comes first in the chunk but last in a `Gamut`. */
function readGamut(data: DataView): Gamut {
  const values = Array.from({ length: 8 }, (_, i) => data.getInt32(4 * i) / fixedPointScale);
  return [...values.slice(2), ...values.slice(0, 2)];
}
