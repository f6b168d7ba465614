import type { Curve, Encoding } from '../../color/encoding.ts';
import { d50, toColumns } from '../../color/gamut.ts';

const curveSamples = 1_024;

/** Make the ICC profile (ICC.1:2010, version 2) of RGB samples of the standard range in this encoding. */
export function makeProfile({ gamut, curves }: Encoding): Buffer {
  const tables = new Map(curves.map((curve) => [curve, makeCurve(curve)]));
  const columns = toColumns(gamut).map(xyz);
  return assemble([
    ['desc', description('Image colors')],
    ['cprt', Buffer.from('text\0\0\0\0CC0\0', 'latin1')],
    ['wtpt', xyz(d50)],
    ...['rXYZ', 'gXYZ', 'bXYZ'].map((name, i): [string, Buffer] => [name, columns[i] as Buffer]),
    ...['rTRC', 'gTRC', 'bTRC'].map((name, i): [string, Buffer] => [name, tables.get(curves[i] as Curve) as Buffer]),
  ]);
}

function makeCurve(toLight: Curve): Buffer {
  const curve = Buffer.alloc(12 + 2 * curveSamples);
  curve.write('curv', 'latin1');
  curve.writeUInt32BE(curveSamples, 8);
  for (let i = 0; i < curveSamples; i++)
    curve.writeUInt16BE(Math.round(65_535 * Math.min(1, toLight(i / (curveSamples - 1)))), 12 + 2 * i);
  return curve;
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
