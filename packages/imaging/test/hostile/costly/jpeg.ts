/** Markers of ITU-T T.81. */
const marker = { progressive: 0xc2, huffman: 0xc4, start: 0xda };

/** A scan of one component, or of all where it holds DC coefficients (T.81, B.2.3). */
type Scan = { component?: number; from: number; to: number; high: number; low: number };
type CostlyJpeg = {
  width: number;
  height: number;
  components: 1 | 3 | 4;
  scans: readonly Scan[];
};

function segment(kind: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, kind, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** A table whose only code is one bit, 0. */
const huffmanTable = (id: number, symbol: number) =>
  segment(marker.huffman, Buffer.from([id, 1, ...Array<number>(15).fill(0), symbol]));
/** The next 16,384 blocks, or twice as many less one, have no more coefficients. */
const endOfBand = 0xe0;
const blocksOfBand = 16_384;

/**
 * Returns a gray progressive JPEG whose coefficients are all zero. Its data is zeros: differences of DC of one bit, and runs of
 * blocks without coefficients.
 */
export function makeProgressiveJpeg({ width, height, components, scans }: CostlyJpeg): Buffer {
  const numbers = Array.from({ length: components }, (_, i) => i + 1);
  const frame = Buffer.from([8, 0, 0, 0, 0, components, ...numbers.flatMap((id) => [id, 0x11, 0])]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const parts = scans.map(({ component, from, to, high, low }) => {
    const used = component === undefined ? numbers : [component];
    const header = [used.length, ...used.flatMap((id) => [id, 0]), from, to, 16 * high + low];
    const bits = from === 0 ? blocks * used.length : Math.ceil(blocks / blocksOfBand) * 15;
    return Buffer.concat([segment(marker.start, Buffer.from(header)), Buffer.alloc(Math.ceil(bits / 8))]);
  });
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(components === 4 ? [segment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\0', 'latin1'))] : []),
    segment(0xdb, Buffer.from([0, ...Array<number>(64).fill(1)])),
    segment(marker.progressive, frame),
    ...[huffmanTable(0, 0), huffmanTable(0x10, endOfBand)],
    ...parts,
    Buffer.from([0xff, 0xd9]),
  ]);
}

const largestShift = 13;

/** As many scans as a valid JPEG can have, up to `most`: each bit of each coefficient of each component in one of its own. */
export function everyScan(components: number, most = Number.POSITIVE_INFINITY): Scan[] {
  const scans: Scan[] = [];
  for (let low = largestShift; low >= 0; low--)
    scans.push({ from: 0, to: 0, high: low === largestShift ? 0 : low + 1, low });
  for (let component = 1; component <= components; component++)
    for (let from = 1; from < 64; from++)
      for (let low = largestShift; low >= 0; low--)
        scans.push({ component, from, to: from, high: low === largestShift ? 0 : low + 1, low });
  return scans.slice(0, most);
}
