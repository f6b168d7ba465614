const signatureBytes = 8;
/** Length, name and checksum of a chunk. */
const chunkOverhead = 12;

/** Frames of a PNG: what its acTL chunk says (APNG 1.0; it comes before the first IDAT), else 1. */
export function countPngFrames(file: Buffer): number {
  for (let at = signatureBytes; at + chunkOverhead <= file.length; ) {
    const length = file.readUInt32BE(at);
    const name = file.toString('latin1', at + 4, at + 8);
    if (name === 'acTL' && length >= 4) return Math.max(1, file.readUInt32BE(at + 8));
    if (name === 'IDAT') return 1;
    at += chunkOverhead + length;
  }
  return 1;
}
