/** Returns the value of an IEEE 754 half-precision number from its 16 bits. */
export function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Reads an ncnn `.bin` sequentially. `what`: name for error messages. */
export type WeightCursor = {
  floats(count: number, what: string): Float32Array;
  /** Reads values after a 4-byte tag: 0 for float32, 0x01306B47 for halves, padded to 4 bytes. */
  tagged(count: number, what: string): Float32Array;
  /** Throws Error unless every byte has been read. */
  end(): void;
};

const halfTag = 0x01306b47;
// A table makes 17 million halves take 0.1 s.
const halfValues = Float32Array.from({ length: 0x10000 }, (_, bits) => halfToFloat(bits));

export function readFrom(bytes: Uint8Array, file: string): WeightCursor {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;

  const take = (size: number, what: string) => {
    offset += size;
    if (offset > bytes.byteLength)
      throw new Error(`${file}: ends at byte ${bytes.byteLength}, inside ${what} (needs ${offset})`);
    return offset - size;
  };
  const floats = (count: number, what: string) => {
    const start = take(count * 4, what);
    const values = new Float32Array(count);
    for (let i = 0; i < count; i++) values[i] = view.getFloat32(start + i * 4, true);
    return values;
  };
  const halves = (count: number, what: string) => {
    const start = take(Math.ceil(count / 2) * 4, what);
    const values = new Float32Array(count);
    for (let i = 0; i < count; i++) values[i] = halfValues[view.getUint16(start + i * 2, true)] ?? 0;
    return values;
  };
  const tagged = (count: number, what: string) => {
    const tag = view.getUint32(take(4, what), true);
    if (tag === 0) return floats(count, what);
    if (tag === halfTag) return halves(count, what);
    throw new Error(`${file}: ${what} has the unknown storage tag 0x${tag.toString(16)}`);
  };
  const end = () => {
    const left = bytes.byteLength - offset;
    if (left > 0) throw new Error(`${file}: ${left} bytes are left over after the last layer`);
  };
  return { floats, tagged, end };
}
