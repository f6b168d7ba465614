import { crc32 } from 'node:zlib';
import { openByteWriter, partOf } from './byte-writer.ts';
import { makeOrientation, orientationBytes, readOrientation } from './orientation.ts';

const signatureBytes = 8;
/** Chunks with pixels, and those that change how pixels look or move. */
const kept = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '),
);

/** Removes all metadata of a PNG file but its orientation and color profile, and what follows the image. */
export function stripPng(file: Buffer): Buffer {
  const output = openByteWriter(file.length + orientationBytes);
  output.add(partOf(file, 0, signatureBytes));
  for (let at = signatureBytes; ; ) {
    const head = partOf(file, at, at + 8);
    const chunk = partOf(file, at, at + 12 + head.readUInt32BE(0));
    const name = head.toString('latin1', 4);
    if (name === 'eXIf') output.add(keepOrientation(chunk));
    else if (kept.has(name)) output.add(chunk);
    if (name === 'IEND') return output.finish();
    at += chunk.length;
  }
}

function keepOrientation(chunk: Buffer): Buffer {
  const orientation = readOrientation(chunk.subarray(8, chunk.length - 4));
  if (orientation === 1) return Buffer.alloc(0);
  const body = Buffer.concat([Buffer.from('eXIf', 'latin1'), makeOrientation(orientation)]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
