import { type Gamut, gamuts, isSameGamut, isWide, makeConversionMatrix, srgbGamut } from './gamut.ts';

/** Converts an sRGB sample in 0-1 to linear light in 0-1 (IEC 61966-2-1). */
export const toLinear = (v: number): number => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
/** Converts linear light in 0-1 to an sRGB sample in 0-1. */
export const fromLinear = (l: number): number => (l <= 0.0031308 ? l * 12.92 : 1.055 * l ** (1 / 2.4) - 0.055);

/**
 * Converts a sample in 0-1 to linear light. Light of high dynamic range is relative to white (203 candela per square
 * meter).
 */
export type Curve = (sample: number) => number;
/** Perceptual quantizer or hybrid log-gamma. The curve of hybrid log-gamma returns scene light. */
type HighRange = 'perceptual' | 'hybrid';
/** Color encoding of samples. `curves`: curves of red, green, and blue. */
export type Encoding = { gamut: Gamut; curves: readonly [Curve, Curve, Curve]; highRange?: HighRange };

/**
 * The colors of a file: sRGB, its embedded profile, or an encoding described by other fields of the file. Such an
 * encoding takes precedence over a profile.
 */
export type SourceColor = { kind: 'srgb' } | { kind: 'embedded' } | { kind: 'encoded'; encoding: Encoding };

/** Coding-independent code points. The values are defined in the tables of ITU-T H.273. */
export type ColorCodes = { primaries: number; transfer: number };

const [perceptual, hybrid] = [16, 18];

/** Curves by TransferCharacteristics (H.273, table 3), except the camera curves below. */
const curvesByTransfer: Readonly<Partial<Record<number, Curve>>> = {
  4: power(2.2),
  5: power(2.8),
  7: (sample) => (sample < 4 * 0.0228 ? sample / 4 : ((sample + 0.1115) / 1.1115) ** (1 / 0.45)),
  8: (sample) => sample,
  13: toLinear,
  [perceptual]: pqToLinear,
  17: (sample) => (52.37 / 48) * sample ** 2.6,
  [hybrid]: fromHybrid,
};
/** Television cameras: BT.709, BT.601, BT.2020, and IEC 61966-2-4. Displays decode them with ITU-R BT.1886. */
const cameraTransfers = [1, 6, 11, 14, 15];
const cameraCurve = power(2.4);

/** Returns the curve of samples that were encoded with the power 1 / `exponent`. */
export function power(exponent: number): Curve {
  return (sample) => sample ** exponent;
}

/** Light of white (ITU-R BT.2408), and light of a sample of 1 (SMPTE ST 2084), in candela per square meter. */
const [white, brightest] = [203, 10_000];

function pqToLinear(sample: number): number {
  const [m1, m2, c1, c2, c3] = [2_610 / 16_384, (2_523 / 4_096) * 128, 3_424 / 4_096, 2_413 / 128, 2_392 / 128];
  const root = sample ** (1 / m2);
  return ((Math.max(0, root - c1) / (c2 - c3 * root)) ** (1 / m1) * brightest) / white;
}

function fromHybrid(sample: number): number {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073];
  return sample <= 0.5 ? sample ** 2 / 3 : (Math.exp((sample - c) / a) + b) / 12;
}

export const isSrgb = ({ gamut, curves: [curve], highRange }: Encoding): boolean =>
  curve === toLinear && !highRange && isSameGamut(gamut, srgbGamut);

/**
 * `usesCameraCurve`: whether to decode camera curves as a television does. Browsers do this for PNG. Otherwise, they
 * are decoded as sRGB.
 */
type ReadOptions = { usesCameraCurve: boolean };

/**
 * Returns the encoding for code points. If one of them is unknown, sRGB is used in its place. Returns undefined if both
 * are unknown.
 */
export function readCodes({ primaries, transfer }: ColorCodes, { usesCameraCurve }: ReadOptions): Encoding | undefined {
  const isCamera = cameraTransfers.includes(transfer);
  const known = isCamera ? (usesCameraCurve ? cameraCurve : toLinear) : curvesByTransfer[transfer];
  if (!known && !gamuts[primaries]) return undefined;
  return {
    ...makeEncoding(gamuts[primaries] ?? srgbGamut, known ?? toLinear),
    ...(transfer === perceptual && { highRange: 'perceptual' }),
    ...(transfer === hybrid && { highRange: 'hybrid' }),
  };
}

export const makeEncoding = (gamut: Gamut, curve: Curve): Encoding => ({ gamut, curves: [curve, curve, curve] });

export const srgb = makeEncoding(srgbGamut, toLinear);

/** Range of exponents that are treated as sRGB, and range of plausible display exponents. */
const [leastSrgb, mostSrgb, leastExponent, mostExponent] = [2.15, 2.25, 0.2, 10];

/** Whether an exponent is plausible for a display. Needed because a damaged file can contain any exponent. */
export const isExponent = (exponent: number): boolean => exponent >= leastExponent && exponent <= mostExponent;

/**
 * Returns the encoding for the exponents of red, green, and blue. Exponents of about 2.2 with the sRGB gamut are
 * treated as sRGB.
 */
export function readExponents(gamut: Gamut, [red, green, blue]: readonly [number, number, number]): Encoding {
  const isMeantAsSrgb =
    isSameGamut(gamut, srgbGamut) && [red, green, blue].every((value) => value >= leastSrgb && value <= mostSrgb);
  return isMeantAsSrgb ? srgb : { gamut, curves: [power(red), power(green), power(blue)] };
}

/** Largest differences that aren't visible: in samples, and in the entries of the gamut matrix. */
const [sameSample, sameShare] = [0.006, 0.01];

/**
 * Whether samples look the same as in sRGB. Allows small differences, because profiles round sRGB in different ways.
 */
export const looksLikeSrgb = ({ gamut, curves, highRange }: Encoding): boolean =>
  !highRange &&
  curves.every((curve) => isCloseTo(curve, sameSample)) &&
  makeConversionMatrix(gamut, srgbGamut).every((row, r) =>
    row.every((x, c) => Math.abs(x - (r === c ? 1 : 0)) <= sameShare),
  );

/**
 * Maximum difference from sRGB samples for a curve to be kept. Within this limit, sample steps are perceptually even,
 * and images can be processed as if they were sRGB.
 */
const maxCurveDifference = 0.06;
const curveCheckCount = 64;

/** Whether a curve differs from the sRGB curve by at most `most`, in samples 0-1. */
const isCloseTo = (curve: Curve, most: number): boolean =>
  Array.from({ length: curveCheckCount + 1 }, (_, i) => i / curveCheckCount).every(
    (sample) => Math.abs(fromLinear(Math.min(1, Math.max(0, curve(sample)))) - sample) <= most,
  );

/**
 * Returns the encoding in which an image is processed and stored. Gray images and gamuts that fit into sRGB use sRGB,
 * and high dynamic range uses Display P3. Other images keep their gamut, but an unusual curve is replaced by the sRGB
 * curve.
 */
export function chooseTargetEncoding(source: Encoding, isGray: boolean): Encoding {
  if (isGray || !isWide(source.gamut)) return srgb;
  if (source.highRange) return makeEncoding(gamuts[12] as Gamut, toLinear);
  return source.curves.every((curve) => isCloseTo(curve, maxCurveDifference))
    ? source
    : makeEncoding(source.gamut, toLinear);
}
