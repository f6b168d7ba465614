import { partHeader } from './multipart.ts';

export const MB = 1024 * 1024;
const piece = Buffer.alloc(64 * 1024, 7);
const opening = Buffer.from(partHeader({ name: 'image', filename: 'big.png', type: 'image/png' }, 'b0'));
const ending = Buffer.from('\r\n--b0--\r\n');

/** Yields the given number of bytes, which are no image, in chunks. */
export function* bytesOf(sizeBytes: number): Generator<Buffer> {
  for (let left = sizeBytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
}

/** Yields a form with a file of this size, in chunks. The boundary is `b0`. */
export function* form(sizeBytes: number): Generator<Buffer> {
  yield opening;
  yield* bytesOf(sizeBytes);
  yield ending;
}
export const formLength = (sizeBytes: number) => opening.length + sizeBytes + ending.length;

/** Yields the chunks in HTTP chunked encoding. */
export function* chunked(pieces: Iterable<Buffer>): Generator<Buffer> {
  for (const data of pieces)
    yield Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
  yield Buffer.from('0\r\n\r\n');
}
