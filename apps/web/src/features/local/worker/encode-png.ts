type Pixels = { width: number; height: number; channels: 3 | 4; samples: Uint8Array };

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** PNG color types by number of channels: RGB, and RGB with alpha. */
const colorTypes = { 3: 2, 4: 6 } as const;
/** The perceptual rendering intent in an `sRGB` chunk. */
const perceptualIntent = 0;
/** Rows that are filtered and compressed at once. */
const bandRows = 64;

/** Start of an XMP text chunk: uncompressed, without a language or translated keyword. */
const xmpHead = new TextEncoder().encode('XML:com.adobe.xmp\0\0\0\0\0');

/** `onRows`: called with the number of rows written so far. `xmp`: a packet to write. */
type EncodePngOptions = { onRows: (rows: number) => void; xmp: Uint8Array | undefined };

/**
 * Encodes samples as a PNG (ISO/IEC 15948), compressed by the browser. Doesn't use a canvas, which would round the
 * colors of transparent pixels and need memory for a second copy of the image.
 */
export async function encodePng(pixels: Pixels, { onRows, xmp }: EncodePngOptions): Promise<Blob> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, pixels.width);
  view.setUint32(4, pixels.height);
  header.set([8, colorTypes[pixels.channels]], 8);
  const parts = [signature, makeChunk('IHDR', header), makeChunk('sRGB', Uint8Array.of(perceptualIntent))];
  if (xmp) parts.push(makeChunk('iTXt', Uint8Array.of(...xmpHead, ...xmp)));
  const filtered = new ReadableStream<Uint8Array<ArrayBuffer>>(filterRows(pixels, onRows));
  const reader = filtered.pipeThrough(new CompressionStream('deflate')).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read())
    parts.push(makeChunk('IDAT', next.value));
  return new Blob([...parts, makeChunk('IEND', new Uint8Array())], { type: 'image/png' });
}

function filterRows(pixels: Pixels, onRows: (rows: number) => void): UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> {
  const length = pixels.width * pixels.channels;
  let y = 0;
  return {
    pull: (controller) => {
      const until = Math.min(pixels.height, y + bandRows);
      const band = new Uint8Array((until - y) * (length + 1));
      for (let at = 0; y < until; y++, at += length + 1) filterRow(pixels, y, band.subarray(at, at + length + 1));
      controller.enqueue(band);
      onRows(y);
      if (y === pixels.height) controller.close();
    },
  };
}

/** The Sub, Up, and Paeth filter types. */
const filters = [1, 2, 4] as const;
type Filter = (typeof filters)[number];
/** Interval between the samples that are tested to choose a filter. */
const sampleStep = 8;

/** Writes a row with the filter that produces the smallest differences, as the PNG specification recommends. */
function filterRow({ width, channels, samples }: Pixels, y: number, target: Uint8Array): void {
  const length = width * channels;
  const row = samples.subarray(y * length, (y + 1) * length);
  const above = y === 0 ? new Uint8Array(length) : samples.subarray((y - 1) * length, y * length);
  const difference = (filter: Filter, i: number) => {
    const left = i < channels ? 0 : (row[i - channels] as number);
    const up = above[i] as number;
    const corner = i < channels ? 0 : (above[i - channels] as number);
    const predicted = filter === 1 ? left : filter === 2 ? up : paeth(left, up, corner);
    return ((row[i] as number) - predicted) & 255;
  };
  let best: { filter: Filter; sum: number } = { filter: 1, sum: Number.POSITIVE_INFINITY };
  for (const filter of filters) {
    let sum = 0;
    for (let i = 0; i < length; i += sampleStep) {
      const value = difference(filter, i);
      sum += Math.min(value, 256 - value);
    }
    if (sum < best.sum) best = { filter, sum };
  }
  target[0] = best.filter;
  for (let i = 0; i < length; i++) target[i + 1] = difference(best.filter, i);
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** CRC-32 for each byte value (ISO/IEC 15948, annex D). */
const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function makeChunk(name: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(data, 8);
  let crc = 0xffffffff;
  for (let i = 4; i < 8 + data.length; i++)
    crc = (crcTable[(crc ^ (bytes[i] as number)) & 255] as number) ^ (crc >>> 8);
  view.setUint32(8 + data.length, (crc ^ 0xffffffff) >>> 0);
  return bytes;
}
