const endMark = 0x06054b50;
const entryMark = 0x02014b50;

/** Returns the files of an uncompressed archive by their path in its central directory. */
export function readZip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || bytes.readUInt32LE(end) !== endMark) throw new Error('no archive');
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) !== entryMark || bytes.readUInt16LE(at + 10) !== 0) throw new Error('no plain entry');
    const size = bytes.readUInt32LE(at + 24);
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const head = bytes.readUInt32LE(at + 42);
    const start = head + 30 + bytes.readUInt16LE(head + 26) + bytes.readUInt16LE(head + 28);
    files.set(bytes.toString('utf8', at + 46, at + 46 + nameLength), bytes.subarray(start, start + size));
    at += 46 + nameLength + extra + comment;
  }
  return files;
}
