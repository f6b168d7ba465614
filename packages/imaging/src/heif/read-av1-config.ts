import type { CodePoints } from './read-properties.ts';

/** Length of the fields before the units (OBUs) in an `av1C` property, in bytes. */
const configBytes = 4;
const [sequenceHeader, frameHeader, frame] = [1, 3, 6];
const maxUnits = 64;

/**
 * Returns the code points in an AV1 stream (AV1 specification, 5.5.2), which apply if the file doesn't specify any.
 * Reads the units of the configuration, then the units of the image. Returns undefined if neither has a sequence
 * header.
 */
export function readSequenceColors([config, data]: readonly [config: Buffer, data: Buffer]): CodePoints | undefined {
  const header = findSequenceHeader(config.subarray(configBytes)) ?? findSequenceHeader(data);
  if (!header) return undefined;
  const bits = makeBitReader(header);
  const { profile } = readSequenceStart(bits);
  const points = readColorConfig(bits, profile);
  return bits.isWithin() ? points : undefined;
}

function findSequenceHeader(units: Buffer): Buffer | undefined {
  let count = 0;
  for (const { type, data } of listUnits(units)) {
    if (type === sequenceHeader) return data;
    if (++count >= maxUnits) return undefined;
  }
  return undefined;
}

/**
 * Yields the units (OBUs) of a stream (AV1 specification, 5.3). A unit without a size extends to the end of the stream.
 */
function* listUnits(units: Buffer): Generator<{ type: number; data: Buffer }> {
  for (let at = 0; at < units.length; ) {
    const head = units[at] as number;
    const type = (head >> 3) & 15;
    at += head & 4 ? 2 : 1;
    let size = head & 2 ? 0 : units.length - at;
    for (let i = 0; head & 2 && i < 4; i++) {
      const byte = units[at++] ?? 0;
      size += (byte & 127) * 2 ** (7 * i);
      if (byte < 128) break;
    }
    yield { type, data: units.subarray(at, at + size) };
    at += size;
  }
}

/**
 * Counts the pixels of all frames that a decoder of a stream produces, including frames that aren't shown. Calls
 * `onUnit` for each unit.
 */
export function countAv1Pixels(stream: Buffer, onUnit: () => void): number {
  let [frames, pixels] = [0, 0];
  for (const { type, data } of listUnits(stream)) {
    onUnit();
    if (type === frame || type === frameHeader) frames++;
    if (type !== sequenceHeader) continue;
    const { width, height } = readSequenceStart(makeBitReader(data));
    pixels = Math.max(pixels, width * height);
  }
  return frames * pixels;
}

/** Reads bits, most significant bit first. Bits beyond the end are 0. */
function makeBitReader(bytes: Buffer) {
  let at = 0;
  const take = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++, at++) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  return { take, flag: () => take(1) === 1, isWithin: () => at <= bytes.length * 8 };
}
type BitReader = ReturnType<typeof makeBitReader>;

function readSequenceStart(bits: BitReader): { profile: number; width: number; height: number } {
  const profile = bits.take(3);
  bits.take(1);
  const isReduced = bits.flag();
  if (isReduced) bits.take(5);
  else skipOperatingPoints(bits);
  const [widthBits, heightBits] = [bits.take(4) + 1, bits.take(4) + 1];
  const [width, height] = [bits.take(widthBits) + 1, bits.take(heightBits) + 1];
  if (!isReduced && bits.flag()) bits.take(4 + 3);
  bits.take(3);
  if (!isReduced) skipTools(bits);
  bits.take(3);
  return { profile, width, height };
}

function skipOperatingPoints(bits: BitReader): void {
  const hasTiming = bits.flag();
  let hasModel = false;
  let delayBits = 0;
  if (hasTiming) {
    bits.take(32);
    bits.take(32);
    if (bits.flag()) skipVariableLength(bits);
    hasModel = bits.flag();
    if (hasModel) {
      delayBits = bits.take(5) + 1;
      bits.take(32 + 5 + 5);
    }
  }
  const hasDelays = bits.flag();
  for (let points = bits.take(5) + 1; points > 0; points--) {
    bits.take(12);
    if (bits.take(5) > 7) bits.take(1);
    if (hasModel && bits.flag()) bits.take(2 * delayBits + 1);
    if (hasDelays && bits.flag()) bits.take(4);
  }
}

function skipVariableLength(bits: BitReader): void {
  let zeros = 0;
  while (zeros < 32 && !bits.flag()) zeros++;
  bits.take(zeros);
}

function skipTools(bits: BitReader): void {
  bits.take(4);
  const hasOrder = bits.flag();
  if (hasOrder) bits.take(2);
  const usesScreenTools = bits.flag() || bits.flag();
  if (usesScreenTools && !bits.flag()) bits.take(1);
  if (hasOrder) bits.take(3);
}

const unspecified = 2;

/** Reads a color configuration (AV1 specification, 5.5.2 and 6.4.2). */
function readColorConfig(bits: BitReader, profile: number): CodePoints {
  const isDeep = bits.flag();
  if (profile === 2 && isDeep) bits.take(1);
  const isMono = profile !== 1 && bits.flag();
  const [primaries, transfer, matrix] = bits.flag()
    ? [bits.take(8), bits.take(8), bits.take(8)]
    : [unspecified, unspecified, unspecified];
  const isRgb = primaries === 1 && transfer === 13 && matrix === 0;
  return { primaries, transfer, matrix, isFullRange: isMono || !isRgb ? bits.flag() : true };
}
