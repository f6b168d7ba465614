import type { ColorCodes } from '../color/encoding.ts';
import type { BitReader } from './read-bits.ts';

type JxlColors = { isGrey: boolean; hasProfile: boolean; hasIcc: boolean; codes?: ColorCodes };

const [greySpace, xybSpace] = [1, 2];
const [d65, srgbPrimaries, p3Primaries, srgbCurve, custom] = [1, 1, 11, 13, 2];
/** Display P3 in H.273. In JPEG XL, DCI P3 has its number, and another white. */
const displayP3 = 12;
const gammaBits = 24;

/** Read ColourEncoding (ISO/IEC 18181-1, E.2). Throws AppError `corrupt_image`. */
export function readJxlColors(bits: BitReader): JxlColors {
  if (bits.flag()) return { isGrey: false, hasProfile: false, hasIcc: false };
  const hasIcc = bits.flag();
  const space = bits.enumeration();
  const isGrey = space === greySpace;
  const codes = hasIcc ? undefined : readCodes(bits, space);
  const isUsual = codes?.primaries === srgbPrimaries && codes.transfer === srgbCurve;
  return { isGrey, hasProfile: !isUsual, hasIcc, ...(codes && { codes }) };
}

function readCodes(bits: BitReader, space: number): ColorCodes | undefined {
  const isXyb = space === xybSpace;
  const white = isXyb ? d65 : bits.enumeration();
  if (white === custom) skipPoints(bits, 1);
  const primaries = isXyb || space === greySpace ? srgbPrimaries : bits.enumeration();
  if (primaries === custom) skipPoints(bits, 3);
  const hasGamma = !isXyb && bits.flag();
  if (hasGamma) bits.skip(gammaBits);
  const transfer = isXyb || hasGamma ? undefined : bits.enumeration();
  // The rendering intent.
  bits.enumeration();
  if (white !== d65 || primaries === custom || transfer === undefined) return undefined;
  return { primaries: primaries === p3Primaries ? displayP3 : primaries, transfer };
}

/** Skip chromaticities. */
function skipPoints(bits: BitReader, count: number): void {
  for (let i = 0; i < 2 * count; i++) bits.choose([0, 19], [524_288, 19], [1_048_576, 20], [2_097_152, 21]);
}
