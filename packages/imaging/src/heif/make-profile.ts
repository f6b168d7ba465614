import { toLinear } from '../color/srgb.ts';
import { d50, toColumns } from './gamut.ts';
import type { CodePoints } from './read-properties.ts';

/** Chromaticities x and y of red, green, blue, and white, by ColourPrimaries (ITU-T H.273). */
const gamuts: Record<number, readonly number[]> = {
  4: [0.67, 0.33, 0.21, 0.71, 0.14, 0.08, 0.31, 0.316],
  9: [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127, 0.329],
  11: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.314, 0.351],
  12: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329],
};
const srgbGamut = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329] as const;

const [gamma22, gamma28, linear, perceptual, hybrid] = [4, 5, 8, 16, 18];
/** Light that is shown as white (ITU-R BT.2408), and that of sample 1 (SMPTE ST 2084), candela per square meter. */
const [white, brightest] = [203, 10_000];

/** SMPTE ST 2084, then a curve that keeps darks and lights up to half of white, and bends the rest into the range. */
function fromPerceptual(sample: number): number {
  const [m1, m2, c1, c2, c3] = [2_610 / 16_384, (2_523 / 4_096) * 128, 3_424 / 4_096, 2_413 / 128, 2_392 / 128];
  const power = sample ** (1 / m2);
  const light = (Math.max(0, power - c1) / (c2 - c3 * power)) ** (1 / m1);
  return compress((light * brightest) / white);
}
const knee = 0.5;
const compress = (light: number) =>
  light <= knee ? light : knee + (1 - knee) * (1 - Math.exp((knee - light) / (1 - knee)));

/** ITU-R BT.2100 hybrid log-gamma on a display of 1,000 candela per square meter, bent in the same way. */
function fromHybrid(sample: number): number {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073];
  const scene = sample <= 0.5 ? sample ** 2 / 3 : (Math.exp((sample - c) / a) + b) / 12;
  return compress((1_000 * scene ** 1.2) / white);
}

/** Light 0-1 by TransferCharacteristics. Camera curves such as BT.709 are shown like sRGB. */
const curves: Record<number, (sample: number) => number> = {
  [gamma22]: (sample) => sample ** 2.2,
  [gamma28]: (sample) => sample ** 2.8,
  [linear]: (sample) => sample,
  [perceptual]: fromPerceptual,
  [hybrid]: fromHybrid,
};

/** Whether samples with these code points differ from sRGB, or are for displays with a high dynamic range. */
export const needsProfile = (points: CodePoints | undefined): points is CodePoints =>
  points !== undefined && (points.primaries in gamuts || points.transfer in curves);
export const isHighRange = (points: CodePoints | undefined) =>
  points !== undefined && [perceptual, hybrid].includes(points.transfer);

const curveSamples = 1_024;

/** Make the ICC profile (ICC.1:2010, version 2) of RGB samples with these code points. */
export function makeProfile({ primaries, transfer }: CodePoints): Buffer {
  const toLight = curves[transfer] ?? toLinear;
  const curve = Buffer.alloc(12 + 2 * curveSamples);
  curve.write('curv', 'latin1');
  curve.writeUInt32BE(curveSamples, 8);
  for (let i = 0; i < curveSamples; i++)
    curve.writeUInt16BE(Math.round(65_535 * Math.min(1, toLight(i / (curveSamples - 1)))), 12 + 2 * i);
  const [red, green, blue] = toColumns(gamuts[primaries] ?? srgbGamut);
  const tags: [string, Buffer][] = [
    ['desc', description('Image colors')],
    ['cprt', Buffer.from('text\0\0\0\0CC0\0', 'latin1')],
    ['wtpt', xyz(d50)],
    ...[
      ['rXYZ', red],
      ['gXYZ', green],
      ['bXYZ', blue],
    ].map(([name, light]): [string, Buffer] => [name as string, xyz(light as readonly number[])]),
    ...['rTRC', 'gTRC', 'bTRC'].map((name): [string, Buffer] => [name, curve]),
  ];
  return assemble(tags);
}

const headerBytes = 128;

function assemble(tags: [string, Buffer][]): Buffer {
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  const offsets = new Map<Buffer, number>();
  let at = headerBytes + table.length;
  for (const [i, [name, data]] of tags.entries()) {
    if (!offsets.has(data)) {
      offsets.set(data, at);
      at += data.length + ((4 - (data.length % 4)) % 4);
    }
    table.write(name, 4 + 12 * i, 'latin1');
    table.writeUInt32BE(offsets.get(data) as number, 8 + 12 * i);
    table.writeUInt32BE(data.length, 12 + 12 * i);
  }
  const profile = Buffer.alloc(at);
  profile.writeUInt32BE(at);
  profile.writeUInt32BE(0x02400000, 8);
  profile.write('mntrRGB XYZ ', 12, 'latin1');
  profile.write('acsp', 36, 'latin1');
  xyz(d50).copy(profile, 68, 8);
  table.copy(profile, headerBytes);
  for (const [data, offset] of offsets) data.copy(profile, offset);
  return profile;
}

/** A textDescriptionType with an ASCII text. */
function description(text: string): Buffer {
  const data = Buffer.alloc(12 + text.length + 1 + 78);
  data.write('desc', 'latin1');
  data.writeUInt32BE(text.length + 1, 8);
  data.write(text, 12, 'latin1');
  return data;
}

function xyz(values: readonly number[]): Buffer {
  const data = Buffer.alloc(20);
  data.write('XYZ ', 'latin1');
  for (const [i, value] of values.entries()) data.writeInt32BE(Math.round(value * 65_536), 8 + 4 * i);
  return data;
}
