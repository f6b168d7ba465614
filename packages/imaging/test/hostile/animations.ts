/** Returns a GIF of identical frames of one color. */
export function makeGif({ width, height, frames }: { width: number; height: number; frames: number }): Buffer {
  const screen = Buffer.from('GIF89a\0\0\0\0\x80\0\0', 'latin1');
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  const colors = Buffer.from([0, 0, 0, 255, 255, 255]);
  const control = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]);
  // One pixel of color 1, coded with two bits: clear, 1, end.
  const image = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0]);
  const frame = Buffer.concat([control, image]);
  return Buffer.concat([screen, colors, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])]);
}

function riffChunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** Returns a WebP (RIFF container) with these chunks. */
export function wrapWebp(chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** Returns an animated WebP whose frames all contain the WebP `still` in a corner. */
export function makeAnimatedWebp(still: Buffer, canvas: { width: number; height: number; frames: number }): Buffer {
  const header = Buffer.alloc(10);
  header[0] = 2;
  header.writeUIntLE(canvas.width - 1, 4, 3);
  header.writeUIntLE(canvas.height - 1, 7, 3);
  const { width, height } = sizeOfLossless(still);
  const place = Buffer.alloc(16);
  place.writeUIntLE(width - 1, 6, 3);
  place.writeUIntLE(height - 1, 9, 3);
  place.writeUIntLE(100, 12, 3);
  const frame = riffChunk('ANMF', Buffer.concat([place, still.subarray(12)]));
  const frames = Array<Buffer>(canvas.frames).fill(frame);
  return wrapWebp([riffChunk('VP8X', header), riffChunk('ANIM', Buffer.alloc(6)), ...frames]);
}

/** Sides of a lossless WebP: 14 bits each behind its signature. */
function sizeOfLossless(webp: Buffer) {
  const bits = webp.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

/** Returns a lossless WebP of any declared size in 38 bytes without pixels. */
export function makeTinyWebp(width: number, height: number): Buffer {
  const data = Buffer.alloc(18);
  data[0] = 0x2f;
  data.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
  return wrapWebp([riffChunk('VP8L', data)]);
}
