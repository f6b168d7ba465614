/** Returns a copy of a PNG whose header and end are intact and whose pixels cannot be decoded. */
export function corruptPng(file: Buffer): Buffer {
  const start = file.indexOf('IDAT') + 12;
  return Buffer.from(file).fill(0xff, start, start + 16);
}
