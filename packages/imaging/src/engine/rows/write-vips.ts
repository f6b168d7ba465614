import { open } from 'node:fs/promises';
import type { RowStream } from './row-stream.ts';

const headerBytes = 64;
const magic = 0x08f2a6b6;
/** VipsBandFormat by depth. */
const formats = { 8: 0, 16: 2 } as const;
/** VipsInterpretation by depth, for gray and RGB. */
const interpretations = { 8: [1, 22], 16: [26, 25] } as const;
const chunkRows = 64;

/** Writes a stream as a `.v` file (see `openVipsFile`). `trailer`: XML with its metadata. */
export async function writeVips(path: string, source: RowStream, trailer: string): Promise<void> {
  const { width, height, channels, depth } = source;
  const header = Buffer.alloc(headerBytes);
  const interpretation = interpretations[depth][channels < 3 ? 0 : 1];
  const words = [magic, width, height, channels, depth, formats[depth], 0, interpretation];
  for (const [i, word] of words.entries()) header.writeUInt32LE(word, 4 * i);
  for (const at of [32, 36]) header.writeFloatLE(1, at);
  const file = await open(path, 'w', 0o600);
  try {
    await file.appendFile(header);
    for (let y = 0; y < height; y += chunkRows) {
      const { buffer, byteOffset, byteLength } = await source.read(Math.min(chunkRows, height - y));
      await file.appendFile(new Uint8Array(buffer, byteOffset, byteLength));
    }
    await file.appendFile(trailer);
  } finally {
    await file.close();
  }
}

/** Returns a trailer for a `.v` file. Its only metadata is a color profile. */
export const makeTrailer = (icc: Buffer | undefined): string => {
  const profile = icc ? `<field type="VipsBlob" name="icc-profile-data">${icc.toString('base64')}</field>` : '';
  return `<?xml version="1.0"?>\n<root xmlns="http://www.vips.ecs.soton.ac.uk/vips/8.18.0"><header></header><meta>${profile}</meta></root>\n`;
};
