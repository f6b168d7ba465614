import { deflateSync } from 'node:zlib';
import { pngChunk } from '../hostile/png-file.ts';

/** Returns a gray ICC profile with one tag. */
export function greyIcc(curve: Buffer, name = 'kTRC'): Buffer {
  const icc = Buffer.concat([Buffer.alloc(144), curve]);
  icc.writeUInt32BE(icc.length, 0);
  icc.writeUInt32BE(0x02400000, 8);
  icc.write('mntrGRAYXYZ ', 12, 'latin1');
  icc.write('acsp', 36, 'latin1');
  for (const [i, value] of [0xf6d6, 0x10000, 0xd32d].entries()) icc.writeUInt32BE(value, 68 + 4 * i);
  icc.writeUInt32BE(1, 128);
  icc.write(name, 132, 'latin1');
  icc.writeUInt32BE(144, 136);
  icc.writeUInt32BE(curve.length, 140);
  return icc;
}

/** Returns a chunk with a profile. */
export const iccp = (icc: Buffer) =>
  pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(icc)]));

/** Returns the tag of a table, or of an exponent in units of 1/256. */
export function curv(values: number[]): Buffer {
  const tag = Buffer.alloc(12 + 2 * values.length);
  tag.write('curv', 'latin1');
  tag.writeUInt32BE(values.length, 8);
  for (const [i, value] of values.entries()) tag.writeUInt16BE(Math.round(value), 12 + 2 * i);
  return tag;
}

/** Returns the tag of a function. */
export function para(type: number, values: number[]): Buffer {
  const tag = Buffer.alloc(12 + 4 * values.length);
  tag.write('para', 'latin1');
  tag.writeUInt16BE(type, 8);
  for (const [i, value] of values.entries()) tag.writeInt32BE(Math.round(value * 65_536), 12 + 4 * i);
  return tag;
}
