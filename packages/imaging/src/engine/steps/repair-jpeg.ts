import { AppError } from '@uprez/contracts/errors/app-error';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';

/** Decodes a file. If a JPEG is damaged, decodes it again with a repaired header. Throws the errors of `decode`. */
export async function decodeRepaired<T>(
  file: Buffer,
  { format }: Pick<Inspection, 'format'>,
  decode: (file: Buffer) => Promise<T>,
): Promise<T> {
  try {
    return await decode(file);
  } catch (error) {
    const isDamaged = error instanceof AppError && error.code === 'corrupt_image';
    const repaired = isDamaged && format === 'jpeg' ? repairJpeg(file) : undefined;
    if (!repaired) throw error;
    return await decode(repaired);
  }
}

/** Markers from ITU-T T.81: SOF0, SOF1, SOS. */
const [baseline, extended, startOfScan] = [0xc0, 0xc1, 0xda];
/** Spectral selection and successive approximation parameters of every sequential scan (T.81, B.2.3). */
const sequentialScanParameters = [0, 63, 0];
const markerPrefix = 0xff;

/**
 * Repairs header defects that some cameras write and viewers ignore: extra bytes between segments, and invalid scan
 * parameters in sequential images (Samsung). Pixel data isn't changed. Returns a repaired copy, or undefined if the
 * header has no such defects.
 */
function repairJpeg(file: Buffer): Buffer | undefined {
  const segments = [file.subarray(0, 2)];
  let isSequential = false;
  let isFaulty = false;
  for (let at = 2; ; ) {
    const start = file.indexOf(markerPrefix, at);
    const kind = file[start + 1];
    if (start < 0 || kind === undefined || start + 4 > file.length) return undefined;
    isFaulty ||= start > at;
    if (kind === markerPrefix) {
      at = start + 1;
      continue;
    }
    isSequential ||= kind === baseline || kind === extended;
    if (kind === startOfScan) {
      const rest = Buffer.from(file.subarray(start));
      if (isSequential) isFaulty = repairScanHeader(rest) || isFaulty;
      return isFaulty ? Buffer.concat([...segments, rest]) : undefined;
    }
    at = start + 2 + file.readUInt16BE(start + 2);
    segments.push(file.subarray(start, at));
  }
}

function repairScanHeader(scan: Buffer): boolean {
  const at = 5 + (scan[4] ?? 0) * 2;
  if (
    at + sequentialScanParameters.length > scan.length ||
    sequentialScanParameters.every((value, i) => scan[at + i] === value)
  )
    return false;
  scan.set(sequentialScanParameters, at);
  return true;
}
