import type { InputFormat } from '@uprez/contracts/policy/image-formats';
import { findBlocks } from './blocks/find-blocks.ts';
import { readExif } from './exif/read-exif.ts';
import { centimetersPerInch, type Resolution, resolutionOfFields, toResolution } from './resolution.ts';

const inchesPerMeter = 100 / centimetersPerInch;

/** Read the print resolution of an image: from its header, and from EXIF data where that has none. Never throws. */
export function readResolution(file: Buffer, format: InputFormat): Resolution | undefined {
  const ofHeader = readers[format]?.(file);
  if (ofHeader) return ofHeader;
  const { exif } = findBlocks(file, format);
  return exif && resolutionOfFields(readExif(exif)?.image ?? []);
}

const readers: Partial<Record<InputFormat, (file: Buffer) => Resolution | undefined>> = {
  jpeg: readJfif,
  png: readPhys,
  bmp: readBmp,
};

/** The JFIF segment (ITU-T T.871), which comes first. Units: 0 for a ratio only, 1 per inch, 2 per centimeter. */
function readJfif(file: Buffer): Resolution | undefined {
  if (file.length < 18 || file.readUInt16BE(2) !== 0xff_e0 || file.toString('latin1', 6, 11) !== 'JFIF\0')
    return undefined;
  const perInch = { 1: 1, 2: centimetersPerInch }[file[13] ?? 0];
  return perInch ? toResolution(file.readUInt16BE(14) * perInch, file.readUInt16BE(16) * perInch) : undefined;
}

const signatureBytes = 8;
const chunkBytes = 12;

/** The pHYs chunk (PNG 3, 11.3.5.3), before the pixels. Its unit is the meter, or none for a ratio. */
function readPhys(file: Buffer): Resolution | undefined {
  for (let at = signatureBytes; at + chunkBytes <= file.length; at += chunkBytes + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') return undefined;
    if (type !== 'pHYs' || at + 17 > file.length) continue;
    const [x, y, unit] = [file.readUInt32BE(at + 8), file.readUInt32BE(at + 12), file[at + 16]];
    return unit === 1 ? toResolution(x / inchesPerMeter, y / inchesPerMeter) : undefined;
  }
  return undefined;
}

/** Pixels per meter of headers that have them (BITMAPINFOHEADER). 0: unknown. */
function readBmp(file: Buffer): Resolution | undefined {
  const headerBytes = 40;
  if (file.length < 46 || file.readUInt32LE(14) < headerBytes) return undefined;
  return toResolution(file.readInt32LE(38) / inchesPerMeter, file.readInt32LE(42) / inchesPerMeter);
}
