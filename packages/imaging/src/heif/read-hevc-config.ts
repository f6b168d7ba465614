import { AppError } from '@uprez/contracts/errors/app-error';
import type { Box } from './read-boxes.ts';

type Range = Pick<Box, 'start' | 'end'>;
/**
 * Properties of an HEVC stream. `width` and `height`: size of the decoded frame. `storedPixels`: number of pixels in
 * the decoder's buffer.
 */
export type HevcConfig = {
  width: number;
  height: number;
  storedPixels: number;
  isGray: boolean;
  bitDepth: number;
  /** Length of the length field before each unit in the stream, in bytes. */
  lengthBytes: number;
  /** Byte ranges of the parameter sets in the file. */
  parameters: Range[];
};

type SequenceParameters = Omit<HevcConfig, 'lengthBytes' | 'parameters'>;
const makeCorruptError = () => new AppError('corrupt_image');
const fixedBytes = 23;
/** Maximum units in a configuration. A stream can refer to 16 + 16 + 64 parameter sets, and files have about four. */
const maxUnits = 128;
/** Maximum bytes that are read from a parameter set. The fields up to the bit depth are at its start. */
const sequenceBytes = 256;
/** Unit types (H.265, table 7-1). */
const [videoParameters, sequenceParameters, frameParameters] = [32, 33, 34];

/**
 * Reads a decoder configuration (ISO/IEC 14496-15, 8.3.3.1). Its sequence parameter sets declare the size of the frame
 * that the decoder allocates. If it contains several, uses the largest size. Throws AppError `corrupt_image`.
 */
export function readHevcConfig(file: Buffer, { start, end }: Range): HevcConfig {
  if (start + fixedBytes > end) throw makeCorruptError();
  const found: SequenceParameters[] = [];
  const parameters: Range[] = [];
  let at = start + fixedBytes;
  const readShort = () => {
    if (at + 2 > end) throw makeCorruptError();
    at += 2;
    return file.readUInt16BE(at - 2);
  };
  let count = 0;
  for (let arrays = file[start + 22] as number; arrays > 0; arrays--) {
    if (at >= end) throw makeCorruptError();
    const type = (file[at++] as number) & 63;
    for (let units = readShort(); units > 0; units--) {
      if (++count > maxUnits) throw new AppError('corrupt_image', { limitName: 'image_structure' });
      const length = readShort();
      if (at + length > end) throw makeCorruptError();
      if (type >= videoParameters && type <= frameParameters) parameters.push({ start: at, end: at + length });
      if (type === sequenceParameters)
        found.push(readSequenceParameters(file.subarray(at, at + Math.min(length, sequenceBytes))));
      at += length;
    }
  }
  const [largest] = found.sort((a, b) => b.storedPixels - a.storedPixels);
  if (!largest) throw makeCorruptError();
  return { ...largest, lengthBytes: ((file[start + 21] as number) & 3) + 1, parameters };
}

const headerBits = 16;
const profileBits = 88;
const levelBits = 8;

/** Reads a sequence parameter set (ITU-T H.265, 7.3.2.2) up to the bit depth. */
function readSequenceParameters(unit: Buffer): SequenceParameters {
  const bits = makeBitReader(dropEmulationBytes(unit));
  bits.take(headerBits + 4);
  const layers = bits.take(3);
  bits.advance(1 + profileBits + levelBits);
  const flags = Array.from({ length: layers }, () => bits.take(2));
  if (layers > 0) bits.advance(2 * (8 - layers));
  for (const flag of flags) bits.advance((flag & 2 ? profileBits : 0) + (flag & 1 ? levelBits : 0));
  bits.golomb();
  const chroma = bits.golomb();
  if (chroma > 3) throw makeCorruptError();
  if (chroma === 3) bits.advance(1);
  const [width, height] = [bits.golomb(), bits.golomb()];
  const [left, right, top, bottom] = bits.take(1) ? Array.from({ length: 4 }, bits.golomb) : [0, 0, 0, 0];
  const [across, down] = [chroma === 1 || chroma === 2 ? 2 : 1, chroma === 1 ? 2 : 1];
  const bitDepth = 8 + bits.golomb();
  const shown = {
    width: width - across * ((left as number) + (right as number)),
    height: height - down * ((top as number) + (bottom as number)),
  };
  if (!(shown.width > 0 && shown.height > 0) || bitDepth > 16) throw makeCorruptError();
  return { ...shown, storedPixels: width * height, isGray: chroma === 0, bitDepth };
}

/** Removes the emulation prevention bytes (H.265, 7.3.1.1). */
function dropEmulationBytes(unit: Buffer): Buffer {
  return Buffer.from(unit.filter((byte, i) => !(byte === 3 && i > 1 && unit[i - 1] === 0 && unit[i - 2] === 0)));
}

const maxGolombZeros = 31;

/** Reads bits, most significant bit first. Reading beyond the end throws AppError `corrupt_image`. */
function makeBitReader(bytes: Buffer) {
  let at = 0;
  const take = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++, at++) {
      const byte = bytes[at >> 3];
      if (byte === undefined) throw makeCorruptError();
      value = value * 2 + ((byte >> (7 - (at & 7))) & 1);
    }
    return value;
  };
  const advance = (count: number) => {
    at += count;
  };
  /** Reads an unsigned Exp-Golomb code (H.265, 9.2). */
  const golomb = (): number => {
    let zeros = 0;
    while (take(1) === 0) if (++zeros > maxGolombZeros) throw makeCorruptError();
    return 2 ** zeros - 1 + take(zeros);
  };
  return { take, advance, golomb };
}
