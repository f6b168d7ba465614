import { type Gamut, gamuts, isSameGamut, isWide, srgbGamut, toMatrix } from './gamut.ts';
import { fromLinear, toLinear } from './srgb.ts';

/** Linear light of a sample 0-1. Light of a high dynamic range is relative to white (203 candela per square meter). */
export type Curve = (sample: number) => number;
/** A range that is larger than that of usual displays. `hybrid`: scene light of hybrid log-gamma. */
export type HighRange = 'perceptual' | 'hybrid';
/** How samples encode colors. `curves`: of red, green, and blue. */
export type Encoding = { gamut: Gamut; curves: readonly [Curve, Curve, Curve]; highRange?: HighRange };

/**
 * The colors of a file: sRGB, those of its embedded profile, or an encoding that it describes in another way, which precedes a
 * profile.
 */
export type SourceColor = { kind: 'srgb' } | { kind: 'embedded' } | { kind: 'encoded'; encoding: Encoding };

/** Coding-independent code points (ITU-T H.273): numbers of tables. */
export type ColorCodes = { primaries: number; transfer: number };

const [perceptual, hybrid] = [16, 18];

/** Curves by TransferCharacteristics (H.273, table 3), except those that need tables of their own. */
const curves: Readonly<Partial<Record<number, Curve>>> = {
  4: power(2.2),
  5: power(2.8),
  7: (sample) => (sample < 4 * 0.0228 ? sample / 4 : ((sample + 0.1115) / 1.1115) ** (1 / 0.45)),
  8: (sample) => sample,
  13: toLinear,
  [perceptual]: fromPerceptual,
  17: (sample) => (52.37 / 48) * sample ** 2.6,
  [hybrid]: fromHybrid,
};
/** Curves of television cameras: BT.709, BT.601, BT.2020, and IEC 61966-2-4. Displays show them as ITU-R BT.1886. */
const cameraTransfers = [1, 6, 11, 14, 15];
const fromCamera = power(2.4);

/** The light of a sample that was raised to 1 / `exponent`. */
export function power(exponent: number): Curve {
  return (sample) => sample ** exponent;
}

/** Light of white (ITU-R BT.2408), and of sample 1 (SMPTE ST 2084), candela per square meter. */
const [white, brightest] = [203, 10_000];

function fromPerceptual(sample: number): number {
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

/** `usesCameraCurve`: whether the curves of cameras are those of a television, as browsers show PNG, or those of sRGB. */
type Reading = { usesCameraCurve: boolean };

/** The encoding of code points; sRGB for those that aren't specified. Undefined when neither is known. */
export function readCodes({ primaries, transfer }: ColorCodes, { usesCameraCurve }: Reading): Encoding | undefined {
  const isCamera = cameraTransfers.includes(transfer);
  const known = isCamera ? (usesCameraCurve ? fromCamera : toLinear) : curves[transfer];
  if (!known && !gamuts[primaries]) return undefined;
  return {
    ...makeEncoding(gamuts[primaries] ?? srgbGamut, known ?? toLinear),
    ...(transfer === perceptual && { highRange: 'perceptual' }),
    ...(transfer === hybrid && { highRange: 'hybrid' }),
  };
}

/** An encoding with one curve. */
export const makeEncoding = (gamut: Gamut, curve: Curve): Encoding => ({ gamut, curves: [curve, curve, curve] });

export const srgb = makeEncoding(srgbGamut, toLinear);

/** Exponents that are meant as sRGB, and those that displays have. */
const [leastSrgb, mostSrgb, leastExponent, mostExponent] = [2.15, 2.25, 0.2, 10];

/** Whether an exponent describes a display. It may come from a damaged file. */
export const isExponent = (exponent: number): boolean => exponent >= leastExponent && exponent <= mostExponent;

/** The encoding of exponents of red, green, and blue. About 2.2 with the gamut of sRGB is meant as sRGB. */
export function readExponents(gamut: Gamut, [red, green, blue]: readonly [number, number, number]): Encoding {
  const isMeantAsSrgb =
    isSameGamut(gamut, srgbGamut) && [red, green, blue].every((value) => value >= leastSrgb && value <= mostSrgb);
  return isMeantAsSrgb ? srgb : { gamut, curves: [power(red), power(green), power(blue)] };
}

/** Largest differences that can't be seen, of samples, and of shares of light. */
const [sameSample, sameShare] = [0.006, 0.01];

/** Whether samples look as in sRGB. Profiles of sRGB are rounded in different ways. */
export const looksLikeSrgb = ({ gamut, curves, highRange }: Encoding): boolean =>
  !highRange &&
  curves.every((curve) => isCloseTo(curve, sameSample)) &&
  toMatrix(gamut, srgbGamut).every((row, r) => row.every((x, c) => Math.abs(x - (r === c ? 1 : 0)) <= sameShare));

/**
 * Largest difference to sRGB samples at which steps between samples stay as fine as they look, so that images can be processed
 * as if they were in sRGB.
 */
const usualDifference = 0.06;
const curveChecks = 64;

/** Whether a curve differs from that of sRGB by at most this, of samples 0-1. */
const isCloseTo = (curve: Curve, most: number): boolean =>
  Array.from({ length: curveChecks + 1 }, (_, i) => i / curveChecks).every(
    (sample) => Math.abs(fromLinear(Math.min(1, Math.max(0, curve(sample)))) - sample) <= most,
  );

/** The encoding in which an image is processed and stored: its own, unless its colors fit sRGB, or its curve is unusual. */
export function targetOf(source: Encoding, isGrey: boolean): Encoding {
  if (isGrey || !isWide(source.gamut)) return srgb;
  if (source.highRange) return makeEncoding(gamuts[12] as Gamut, toLinear);
  return source.curves.every((curve) => isCloseTo(curve, usualDifference))
    ? source
    : makeEncoding(source.gamut, toLinear);
}
