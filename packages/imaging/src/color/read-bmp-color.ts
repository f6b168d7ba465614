import { isExponent, isSrgb, readExponents, type SourceColor } from './encoding.ts';
import { type Gamut, isGamut, srgbGamut } from './gamut.ts';

const [headerSizeAt, colorSpaceAt, endpointsAt, gammaAt, profileAt] = [14, 70, 74, 110, 126];
/** Header sizes of BITMAPV4HEADER and BITMAPV5HEADER. */
const [version4, version5] = [108, 124];
/** Color spaces LCS_CALIBRATED_RGB and PROFILE_EMBEDDED. */
const [calibrated, embedded] = [0, 0x4d424544];
export const bmpColorSpace = { at: colorSpaceAt, srgb: 0x73524742 };

/** Returns the byte range of a BMP's ICC profile. Returns undefined if the profile is missing or incomplete. */
export function findBmpProfile(file: Uint8Array): { start: number; end: number } | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (readHeaderSize(view) !== version5 || view.getUint32(colorSpaceAt, true) !== embedded) return undefined;
  const start = headerSizeAt + view.getUint32(profileAt, true);
  const end = start + view.getUint32(profileAt + 4, true);
  return end > start && end <= file.length ? { start, end } : undefined;
}

const readHeaderSize = (view: DataView) => {
  const size = view.byteLength > headerSizeAt + 4 ? view.getUint32(headerSizeAt, true) : 0;
  return view.byteLength >= headerSizeAt + size ? size : 0;
};

export const hasBmpColorSpace = (file: Uint8Array): boolean =>
  [version4, version5].includes(readHeaderSize(new DataView(file.buffer, file.byteOffset, file.byteLength)));

/** Reads the colors of a BMP from its profile, or from its gamma and endpoints. Ignores damaged and empty fields. */
export function readBmpColor(file: Uint8Array): SourceColor {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const size = readHeaderSize(view);
  if (findBmpProfile(file)) return { kind: 'embedded' };
  if ((size !== version4 && size !== version5) || view.getUint32(colorSpaceAt, true) !== calibrated)
    return { kind: 'srgb' };
  const exponents = [0, 1, 2].map((i) => toExponent(view.getUint32(gammaAt + 4 * i, true) / 2 ** 16));
  const gamut = readEndpoints(view);
  if (!exponents.every(isExponent) || !gamut) return { kind: 'srgb' };
  const encoding = readExponents(gamut, exponents as [number, number, number]);
  return isSrgb(encoding) ? { kind: 'srgb' } : { kind: 'encoded', encoding };
}

/** Some encoders store the encoding exponent instead of the decoding exponent. */
const toExponent = (gamma: number) => (gamma > 0 && gamma < 1 ? 1 / gamma : gamma);

/**
 * Reads the gamut from endpoints, which are given as XYZ or as x, y, and z. The white point is that of sRGB, because
 * endpoints don't include one. Empty endpoints mean sRGB. Returns undefined if the gamut is implausible.
 */
function readEndpoints(view: DataView): Gamut | undefined {
  const values = Array.from({ length: 9 }, (_, i) => view.getInt32(endpointsAt + 4 * i, true));
  if (values.every((value) => value === 0)) return srgbGamut;
  const chroma = [0, 3, 6].flatMap((i) => {
    const [x, y, z] = values.slice(i, i + 3) as [number, number, number];
    return [x / (x + y + z), y / (x + y + z)];
  });
  const gamut = [...chroma, ...srgbGamut.slice(6)];
  return isGamut(gamut) ? gamut : undefined;
}
