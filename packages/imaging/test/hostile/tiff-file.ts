const [byte, short, long, undefinedType] = [1, 3, 4, 7];
const sizes: Record<number, 1 | 2 | 4> = { [byte]: 1, [short]: 2, [long]: 4, [undefinedType]: 1 };
type Entry = [tag: number, type: number, values: number[]];

export type TiffFile = {
  width: number;
  height: number;
  /** PhotometricInterpretation. */
  photometric: number;
  samples: number;
  bits: number;
  /** Compression as in TIFF 6.0. Default: 1, none. */
  compression?: number;
  /** Rows as stored, one strip. */
  data: Uint8Array;
  /** Entries, also in place of those that follow from other fields. */
  entries?: Entry[];
  /** Number of directories, all with the same image. */
  pages?: number;
};

/** Returns a little-endian TIFF (TIFF 6.0) with one strip. */
export function makeTiffFile({ data, pages = 1, ...image }: TiffFile): Buffer {
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
  let at = header.length + data.length + (data.length % 2);
  header.writeUInt32LE(at, 4);
  const directories: Buffer[] = [];
  for (let page = 0; page < pages; page++) {
    const directory = makeDirectory(image, data.length, at);
    at += directory.length;
    const entries = directory.readUInt16LE(0);
    if (page < pages - 1) directory.writeUInt32LE(at, 2 + entries * 12);
    directories.push(directory);
  }
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2), ...directories]);
}

function makeDirectory(image: Omit<TiffFile, 'data' | 'pages'>, dataBytes: number, at: number): Buffer {
  const { width, height, photometric, samples, bits, compression = 1, entries = [] } = image;
  const replaced = new Set(entries.map(([tag]) => tag));
  const defaults: Entry[] = [
    [256, long, [width]],
    [257, long, [height]],
    [258, short, Array<number>(samples).fill(bits)],
    [259, short, [compression]],
    [262, short, [photometric]],
    [273, long, [8]],
    [277, short, [samples]],
    [278, long, [height]],
    [279, long, [dataBytes]],
  ];
  const all = [...defaults.filter(([tag]) => !replaced.has(tag)), ...entries];
  all.sort(([a], [b]) => a - b);
  const table = Buffer.alloc(2 + all.length * 12 + 4);
  table.writeUInt16LE(all.length, 0);
  const tail: Buffer[] = [];
  let tailAt = at + table.length;
  all.forEach(([tag, type, values], i) => {
    const size = sizes[type] ?? 4;
    const bytes = size === 1 ? Buffer.from(values) : Buffer.concat(values.map((value) => word(value, size)));
    table.writeUInt16LE(tag, 2 + i * 12);
    table.writeUInt16LE(type, 4 + i * 12);
    table.writeUInt32LE(values.length, 6 + i * 12);
    if (bytes.length <= 4) bytes.copy(table, 10 + i * 12);
    else {
      table.writeUInt32LE(tailAt, 10 + i * 12);
      const padded = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]);
      tail.push(padded);
      tailAt += padded.length;
    }
  });
  return Buffer.concat([table, ...tail]);
}

function word(value: number, size: 2 | 4): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntLE(value, 0, size);
  return bytes;
}
