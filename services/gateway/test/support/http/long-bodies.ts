import { partHeader } from './multipart.ts';

export const MB = 1024 * 1024;
const piece = Buffer.alloc(64 * 1024, 7);
const opening = Buffer.from(partHeader({ name: 'image', filename: 'big.png', type: 'image/png' }, 'b0'));
const ending = Buffer.from('\r\n--b0--\r\n');

/** So many bytes of no image, in pieces. */
export function* bytesOf(sizeBytes: number): Generator<Buffer> {
  for (let left = sizeBytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
}

/** A form with a file of this size, in pieces; its boundary is `b0`. */
export function* form(sizeBytes: number): Generator<Buffer> {
  yield opening;
  yield* bytesOf(sizeBytes);
  yield ending;
}
export const formLength = (sizeBytes: number) => opening.length + sizeBytes + ending.length;

/** The same in the chunked coding of HTTP. */
export function* chunked(pieces: Iterable<Buffer>): Generator<Buffer> {
  for (const data of pieces)
    yield Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
  yield Buffer.from('0\r\n\r\n');
}
