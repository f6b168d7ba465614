import { chooseTargetEncoding, type Encoding, fromLinear } from './encoding.ts';
import { makeConversionMatrix, toXyzColumns } from './gamut.ts';

type Samples = Uint8Array | Uint8ClampedArray | Uint16Array;
/** Converts interleaved samples in place. Alpha is unchanged. */
export type SampleConverter = (samples: Samples) => void;
type SampleFormat = { channels: number; depth: 8 | 16 };

/** Number of steps in the table that maps light to samples. It's high enough to distinguish the darkest samples. */
const lightTableSteps = { 8: 2 ** 15, 16: 2 ** 18 };

/**
 * Creates a function that converts samples from one encoding to another. `to` must use the sRGB curve. Returns
 * undefined if both encodings are the same. High dynamic range is mapped to standard dynamic range. Colors outside the
 * target gamut are clipped.
 */
export function makeConverter(
  from: Encoding,
  to: Encoding,
  { channels, depth }: SampleFormat,
): SampleConverter | undefined {
  if (from === to) return undefined;
  const tables = from.curves.map((curve) => tabulate(curve, depth));
  if (channels < 3) return makeGrayConverter(from, tables[0] as Float64Array, { channels, depth });
  if (from.gamut === to.gamut && !from.highRange) return makeCurveConverter(tables, { channels, depth });
  return makeColorConverter(from, to, { tables, channels, depth });
}

const tabulate = (curve: (sample: number) => number, depth: 8 | 16): Float64Array =>
  Float64Array.from({ length: 2 ** depth }, (_, i) => curve(i / (2 ** depth - 1)));

const clip = (light: number) => Math.max(0, Math.min(1, light));

function toSamples(table: Float64Array, depth: 8 | 16): Uint16Array {
  return Uint16Array.from(table, (light) => Math.round((2 ** depth - 1) * fromLinear(clip(light))));
}

function makeGrayConverter(
  { highRange }: Encoding,
  table: Float64Array,
  { channels, depth }: SampleFormat,
): SampleConverter {
  const shown = highRange ? table.map((light) => light * gainOf(highRange, light, light)) : table;
  const samples = toSamples(shown, depth);
  return (data) => {
    for (let i = 0; i < data.length; i += channels) data[i] = samples[data[i] as number] as number;
  };
}

function makeCurveConverter(tables: readonly Float64Array[], { channels, depth }: SampleFormat): SampleConverter {
  const [red, green, blue] = tables.map((table) => toSamples(table, depth)) as [Uint16Array, Uint16Array, Uint16Array];
  return (data) => {
    for (let i = 0; i < data.length; i += channels) {
      data[i] = red[data[i] as number] as number;
      data[i + 1] = green[data[i + 1] as number] as number;
      data[i + 2] = blue[data[i + 2] as number] as number;
    }
  };
}

/**
 * Returns the factor by which the light of a high dynamic range pixel is multiplied. `brightness`: luminance of the
 * pixel. `light`: its brightest channel.
 */
function gainOf(range: 'perceptual' | 'hybrid', brightness: number, light: number): number {
  const display = range === 'hybrid' ? hybridGain(brightness) : 1;
  return display * toneGain(light * display);
}

type ColorConversion = SampleFormat & { tables: readonly Float64Array[] };

function makeColorConverter(
  from: Encoding,
  to: Encoding,
  { tables, channels, depth }: ColorConversion,
): SampleConverter {
  const [red, green, blue] = tables as [Float64Array, Float64Array, Float64Array];
  const m = makeConversionMatrix(from.gamut, to.gamut).flat() as unknown as Matrix3x3;
  const [redShare, greenShare, blueShare] = toXyzColumns(from.gamut).map((column) => column[1]) as [
    number,
    number,
    number,
  ];
  const steps = lightTableSteps[depth];
  const encoded = toSamples(
    Float64Array.from({ length: steps + 1 }, (_, i) => i / steps),
    depth,
  );
  const put = (light: number) => encoded[Math.round(clip(light) * steps)] as number;
  const { highRange } = from;
  return (data) => {
    for (let i = 0; i < data.length; i += channels) {
      let r = red[data[i] as number] as number;
      let g = green[data[i + 1] as number] as number;
      let b = blue[data[i + 2] as number] as number;
      if (highRange) {
        const gain = gainOf(highRange, redShare * r + greenShare * g + blueShare * b, Math.max(r, g, b));
        r *= gain;
        g *= gain;
        b *= gain;
      }
      data[i] = put(m[0] * r + m[1] * g + m[2] * b);
      data[i + 1] = put(m[3] * r + m[4] * g + m[5] * b);
      data[i + 2] = put(m[6] * r + m[7] * g + m[8] * b);
    }
  };
}

type Matrix3x3 = readonly [number, number, number, number, number, number, number, number, number];

/** Creates a function that converts samples to the encoding in which images are stored (`chooseTargetEncoding`). */
export const makeTargetConverter = (from: Encoding, kind: SampleFormat): SampleConverter | undefined =>
  makeConverter(from, chooseTargetEncoding(from, kind.channels < 3), kind);

/**
 * Peak light relative to white, with a peak of 1,000 candela per square meter and white at 203. Brighter light is
 * clipped.
 */
const peakLight = 1_000 / 203;
/** Brightness at which white is displayed, as a share of the maximum. The upper half is left for highlights. */
const displayWhite = 0.5;
/**
 * Position of the curve's middle control point. 0 is white, and 1 is the point where halved light would reach the
 * maximum.
 */
const kneePosition = 0.65;

/**
 * Returns the factor for a pixel with `light` as its brightest channel. Implements the reference white tone mapping of
 * SMPTE ST 2094-50, as in Chromium. Light up to white is halved. Brighter light follows a quadratic Bézier curve to 1.
 * The hue is preserved.
 */
function toneGain(light: number): number {
  if (light <= 1) return displayWhite;
  if (light >= peakLight) return 1 / light;
  const middleX = 1 - kneePosition + kneePosition / displayWhite;
  const middleY = (1 - kneePosition) * displayWhite + kneePosition;
  const [a, b] = [1 - 2 * middleX + peakLight, middleX - 1];
  const t = (Math.sqrt(b * b + a * (light - 1)) - b) / a;
  return ((1 - t) ** 2 * displayWhite + 2 * t * (1 - t) * middleY + t * t) / light;
}

/** System gamma of hybrid log-gamma for a display of 1,000 candela per square meter (ITU-R BT.2100), minus 1. */
const systemExponent = 0.2;

/**
 * Returns the factor that converts scene light to display light relative to white, for a pixel with the given
 * brightness.
 */
const hybridGain = (brightness: number): number => peakLight * Math.max(brightness, 1e-6) ** systemExponent;
