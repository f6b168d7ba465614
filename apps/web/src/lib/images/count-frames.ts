const readAscii = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length));

const colorTableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));

function skipBlocks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at]) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

function countGifFrames(bytes: Uint8Array): number {
  let frames = 0;
  let at = 13 + colorTableBytes(bytes[10] ?? 0);
  while (at < bytes.length) {
    if (bytes[at] === 0x21) at = skipBlocks(bytes, at + 2);
    else if (bytes[at] === 0x2c) {
      frames += 1;
      at = skipBlocks(bytes, at + 11 + colorTableBytes(bytes[at + 9] ?? 0));
    } else break;
  }
  return frames;
}

function countWebpFrames(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let frames = 0;
  let at = 12;
  while (at + 8 <= bytes.length) {
    if (readAscii(bytes, at, 4) === 'ANMF') frames += 1;
    const size = view.getUint32(at + 4, true);
    at += 8 + size + (size % 2);
  }
  return frames;
}

/** Returns the number of frames of a GIF or WebP, or 1 for other and unreadable files. */
export function countFrames(bytes: Uint8Array): number {
  if (readAscii(bytes, 0, 4) === 'GIF8') return Math.max(1, countGifFrames(bytes));
  if (readAscii(bytes, 0, 4) === 'RIFF' && readAscii(bytes, 8, 4) === 'WEBP')
    return Math.max(1, countWebpFrames(bytes));
  return 1;
}
