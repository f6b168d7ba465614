const maxCodeBits = 12;

/** `onCode` gets the value of a code, its length in bits, and the position of its first bit in the data. */
type OnCode = (value: number, bits: number, at: number) => void;

/** The data of a frame without the lengths of its blocks. `offsets`: of each byte in the file. `minimum`: bits of a color. */
type Data = { bytes: Uint8Array; offsets: Uint32Array; minimum: number };

/** Mark which color indices a frame uses: 1 for each that is used. `dataAt`: offset of the minimum code size. */
export function findUsedCodes(file: Buffer, dataAt: number): Uint8Array {
  const data = gatherData(file, dataAt);
  const colors = 2 ** data.minimum;
  const used = new Uint8Array(colors);
  // A string of the table consists of colors that had codes of their own before.
  readCodes(data, (value) => {
    if (value < colors) used[value] = 1;
  });
  return used;
}

/** Replace a color index of a frame by another one, in the file. All strings with it change alike. */
export function replaceCode(file: Buffer, dataAt: number, { from, to }: { from: number; to: number }): void {
  const data = gatherData(file, dataAt);
  readCodes(data, (value, bits, at) => {
    if (value !== from) return;
    for (let bit = 0; bit < bits; bit++) {
      const offset = data.offsets[(at + bit) >> 3] as number;
      const mask = 1 << ((at + bit) & 7);
      file[offset] = (to >> bit) & 1 ? (file[offset] as number) | mask : (file[offset] as number) & ~mask;
    }
  });
}

function gatherData(file: Buffer, dataAt: number): Data {
  const bytes: number[] = [];
  const offsets: number[] = [];
  for (let at = dataAt + 1; at < file.length && file[at] !== 0; ) {
    const end = Math.min(file.length, at + 1 + (file[at] as number));
    for (at++; at < end; at++) {
      bytes.push(file[at] as number);
      offsets.push(at);
    }
  }
  return { bytes: Uint8Array.from(bytes), offsets: Uint32Array.from(offsets), minimum: file[dataAt] ?? 0 };
}

/** Read the codes of a frame (GIF89a, appendix F). Their lengths depend only on how many came before. */
function readCodes({ bytes, minimum }: Data, onCode: OnCode): void {
  const clear = 2 ** minimum;
  const start = { bits: minimum + 1, next: clear + 2, isFirst: true };
  let { bits, next, isFirst } = start;
  for (let at = 0; at + bits <= bytes.length * 8; ) {
    const value = readBits(bytes, at, bits);
    onCode(value, bits, at);
    at += bits;
    if (value === clear + 1) return;
    if (value === clear) {
      ({ bits, next, isFirst } = start);
      continue;
    }
    // The first code after a clear code adds no string.
    if (!isFirst && next < 2 ** maxCodeBits) next++;
    isFirst = false;
    if (next === 2 ** bits && bits < maxCodeBits) bits++;
  }
}

function readBits(bytes: Uint8Array, at: number, bits: number): number {
  const byte = at >> 3;
  const word = (bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16);
  return (word >> (at & 7)) & (2 ** bits - 1);
}
