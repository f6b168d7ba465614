import { crc32, deflateSync } from 'node:zlib';

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

type PngFile = {
  width: number;
  height: number;
  /** Color type of PNG: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA. */
  colorType?: 0 | 2 | 3 | 4 | 6;
  bits?: 1 | 2 | 4 | 8 | 16;
  /** Unfiltered rows, each after its filter byte; one grey row of black when absent. */
  rows?: Buffer;
  /** Chunks between header and pixels. */
  chunks?: Buffer[];
};

/** Returns a valid PNG of any size, which may declare more rows than it contains. */
export function makePngFile({ width, height, colorType = 0, bits = 8, rows, chunks = [] }: PngFile): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, bits, colorType, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const pixels = deflateSync(rows ?? Buffer.alloc(Math.min(1_000_000, width + 1)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Inserts chunks after the header of a PNG. */
export function insertChunks(png: Buffer, chunks: Buffer[]): Buffer {
  const headerEnd = 8 + 25;
  return Buffer.concat([png.subarray(0, headerEnd), ...chunks, png.subarray(headerEnd)]);
}
