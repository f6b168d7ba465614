import { createDeflate, deflateRawSync } from 'node:zlib';

/** Order in which a block lists the lengths of its code lengths (RFC 1951, 3.2.7). */
const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1];
const repeatZero = 18;

/** Eight blocks of whole bytes with codes of their own and no data: a decoder makes the tables of each. */
function makeEmptyBlocks(): Buffer {
  const block: number[] = [];
  const put = (value: number, bits: number) => {
    for (let i = 0; i < bits; i++) block.push((value >> i) & 1);
  };
  // Codes of its own, for 257 symbols and one distance; the lengths 1 and `repeatZero` have one bit.
  put(0b100, 3);
  put(0, 10);
  put(order.length - 4, 4);
  for (const symbol of order) put(symbol === repeatZero || symbol === 1 ? 1 : 0, 3);
  // 138 and 118 symbols without a code, the end of the block, one distance, and the end itself.
  for (const zeros of [138, 118]) put(1 + 2 * (zeros - 11), 8);
  put(0b000, 3);
  const bits = Array.from({ length: 8 }, () => block).flat();
  const bytes = Buffer.alloc(bits.length / 8);
  for (const [i, bit] of bits.entries()) bytes.writeUInt8((bytes[i >> 3] as number) | (bit << (i & 7)), i >> 3);
  return bytes;
}

/** Returns a zlib stream (RFC 1950) of about `sizeBytes` that holds a few zeros. */
export function makeEmptyStream(zeros: number, sizeBytes: number): Buffer {
  const blocks = makeEmptyBlocks();
  const repeated = Buffer.alloc(Math.floor(sizeBytes / blocks.length) * blocks.length, blocks);
  const checksum = Buffer.from([zeros >> 8, zeros & 255, 0, 1]);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), repeated, deflateRawSync(Buffer.alloc(zeros)), checksum]);
}

/** Compresses a pattern that is repeated up to a size. */
export async function compress(sizeBytes: number, pattern = Buffer.alloc(1 << 20)): Promise<Buffer> {
  const stream = createDeflate({ level: 9 });
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => stream.on('end', resolve));
  for (let at = 0; at < sizeBytes; at += pattern.length) {
    const isFull = !stream.write(pattern.subarray(0, Math.min(pattern.length, sizeBytes - at)));
    if (isFull) await new Promise((resolve) => stream.once('drain', resolve));
  }
  stream.end();
  await ended;
  return Buffer.concat(parts);
}
