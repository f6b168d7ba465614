import { rm } from 'node:fs/promises';
import { makeTargetConverter } from '../../color/convert-samples.ts';
import {
  type Curve,
  chooseTargetEncoding,
  type Encoding,
  isSrgb,
  makeEncoding,
  type SourceColor,
  toLinear,
} from '../../color/encoding.ts';
import { d50, srgbGamut, toXyzColumns } from '../../color/gamut.ts';
import { guardedSharp } from '../../decoders.ts';
import { checkProfile, headerBytes, readGrayCurve } from '../../inspect/icc-profile.ts';
import type { RowStream } from '../rows/row-stream.ts';
import { writeTiff } from '../rows/write-tiff.ts';
import { decodeNotes } from '../steps/decode-notes.ts';

/**
 * Decoded rows of a file, with the file's colors and embedded profile. `path`: prefix for the paths of temporary files.
 */
type DecodedImage = { rows: RowStream; color: SourceColor; profile?: Buffer | undefined; path: string };
type ConvertedRows = { rows: RowStream; icc?: Buffer; notes: string[] };

/**
 * Converts rows to the color encoding in which results are stored, if necessary. Also returns notes, and the profile
 * unless it is sRGB. Gray is converted to sRGB gray, because WebP and AVIF can't store gray profiles.
 */
export async function applyColor({ rows, color, profile, path }: DecodedImage): Promise<ConvertedRows> {
  if (color.kind === 'encoded') return convertRows(rows, color);
  if (color.kind === 'srgb' || !profile) return { rows, notes: [] };
  if (rows.channels > 2) return { rows, icc: profile, notes: [] };
  const curve = checkProfile(profile, 'grey') === 'usable' ? await loadGrayCurve(profile, path) : undefined;
  if (!curve) return { rows, notes: [decodeNotes.profileUnusable] };
  return convertRows(rows, { kind: 'encoded', encoding: makeEncoding(srgbGamut, curve) });
}

function convertRows(rows: RowStream, { encoding }: Extract<SourceColor, { kind: 'encoded' }>): ConvertedRows {
  const change = makeTargetConverter(encoding, rows);
  const target = chooseTargetEncoding(encoding, rows.channels < 3);
  const read = async (count: number) => {
    const samples = await rows.read(count);
    change?.(samples);
    return samples;
  };
  return {
    rows: { ...rows, read },
    ...(!isSrgb(target) && { icc: makeProfile(target) }),
    notes: encoding.highRange ? [decodeNotes.highRange] : [],
  };
}

const rampSteps = 65_536;

/**
 * Returns the curve of a gray profile. If the profile has lookup tables, applies it to every 16-bit sample value with
 * libvips.
 */
async function loadGrayCurve(profile: Buffer, path: string) {
  const curve = readGrayCurve(profile);
  if (curve) return curve;
  const ramp = `${path}.ramp.tif`;
  const samples = Uint16Array.from({ length: rampSteps }, (_, i) => i);
  try {
    const size = { width: rampSteps, height: 1, channels: 1, depth: 16 } as const;
    await writeTiff(ramp, { ...size, read: async () => samples }, { icc: profile, onRows: () => {} });
    // sharp applies 16-bit gray profiles only at the end of its pipeline, and then outputs several equal channels. Only
    // the first channel is used.
    const { data, info } = await guardedSharp(ramp)
      .withIccProfile('srgb', { attach: false })
      .toColorspace('grey16')
      .raw({ depth: 'ushort' })
      .toBuffer({ resolveWithObject: true });
    const shown = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
    return (sample: number) =>
      toLinear((shown[Math.round(sample * (rampSteps - 1)) * info.channels] as number) / (rampSteps - 1));
  } finally {
    await rm(ramp, { force: true });
  }
}

const curveSamples = 1_024;

/**
 * Creates an ICC profile (ICC.1:2010, version 2) for RGB samples in the given encoding, which must have standard
 * dynamic range.
 */
export function makeProfile({ gamut, curves }: Encoding): Buffer {
  const tables = new Map(curves.map((curve) => [curve, encodeCurveTag(curve)]));
  const columns = toXyzColumns(gamut).map(encodeXyz);
  return assembleProfile([
    ['desc', encodeDescription('Image colors')],
    ['cprt', Buffer.from('text\0\0\0\0CC0\0', 'latin1')],
    ['wtpt', encodeXyz(d50)],
    ...['rXYZ', 'gXYZ', 'bXYZ'].map((name, i): [string, Buffer] => [name, columns[i] as Buffer]),
    ...['rTRC', 'gTRC', 'bTRC'].map((name, i): [string, Buffer] => [name, tables.get(curves[i] as Curve) as Buffer]),
  ]);
}

function encodeCurveTag(toLight: Curve): Buffer {
  const curve = Buffer.alloc(12 + 2 * curveSamples);
  curve.write('curv', 'latin1');
  curve.writeUInt32BE(curveSamples, 8);
  for (let i = 0; i < curveSamples; i++)
    curve.writeUInt16BE(Math.round(65_535 * Math.min(1, toLight(i / (curveSamples - 1)))), 12 + 2 * i);
  return curve;
}

function assembleProfile(tags: [string, Buffer][]): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(0x02400000, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  encodeXyz(d50).copy(header, 68, 8);
  return assembleTags(header, tags);
}

/** Creates an ICC profile from its header, whose size is set, and its tags. Tags with the same data share it. */
export function assembleTags(header: Buffer, tags: readonly [string, Buffer][]): Buffer {
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
  header.copy(profile);
  profile.writeUInt32BE(at);
  table.copy(profile, headerBytes);
  for (const [data, offset] of offsets) data.copy(profile, offset);
  return profile;
}

/** Encodes ASCII text as a textDescriptionType. */
function encodeDescription(text: string): Buffer {
  const data = Buffer.alloc(12 + text.length + 1 + 78);
  data.write('desc', 'latin1');
  data.writeUInt32BE(text.length + 1, 8);
  data.write(text, 12, 'latin1');
  return data;
}

function encodeXyz(values: readonly number[]): Buffer {
  const data = Buffer.alloc(20);
  data.write('XYZ ', 'latin1');
  for (const [i, value] of values.entries()) data.writeInt32BE(Math.round(value * 65_536), 8 + 4 * i);
  return data;
}
