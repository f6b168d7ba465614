import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { formatCount } from '@uprez/contracts/texts/format';
import { toEquivalentPixels } from './to-equivalent-pixels.ts';

/** Markers from ITU-T T.81. */
export const startOfScan = 0xda;
const [endOfImage, temporary] = [0xd9, 0x01];
/** Frame types that code blocks in several scans: progressive, differential, and arithmetic-coded (T.81, table B.1). */
const multiScanFrameMarkers = [0xc2, 0xc6, 0xca, 0xce];
const tableMarkers = [0xc4, 0xc8, 0xcc];
/** Whether a marker starts a frame header, which lists the components. */
export const isFrameMarker = (kind: number) => kind >= 0xc0 && kind <= 0xcf && !tableMarkers.includes(kind);
const hasAdaptiveCodes = (kind: number) => kind > 0xc8;
/** Whether a byte after 0xff belongs to the data of a scan: an escaped 0xff, fill bytes, and restart markers. */
const isScanData = (kind: number) =>
  kind === 0x00 || kind === 0xff || kind === temporary || (kind >= 0xd0 && kind <= 0xd7);

/** `blocks`: block count of each component, by component ID. */
type Frame = { kind: number; pixels: number; blocks: Map<number, number> };

/** Whether a decoder reads scans until the end of the file, and not only the first scan. */
export const hasMoreScans = (kind: number, { components, scanned }: { components: number; scanned: number }): boolean =>
  multiScanFrameMarkers.includes(kind) || scanned < components;

/** Cost of a scan in addition to its blocks, such as for its tables, measured in pixels. */
const scanCostPixels = 1_000;
/**
 * Number of arithmetically coded coefficients that take as long to decode as a pixel. They are counted, because the
 * size of the scan doesn't limit their number.
 */
const coefficientsPerPixel = 4;

/**
 * Returns the number of pixels in a plain JPEG that takes as long to decode as this file. Each block of a scan takes
 * about as long as a pixel, even if the scan doesn't change it. Returns 0 if decoders read only one scan. Throws
 * AppError `image_too_complex` or `corrupt_image`.
 */
export function countJpegPixels(file: Buffer): number {
  let frame: Frame | undefined;
  let [cost, scans, dataAt, end] = [0, 0, 0, file.length];
  for (const { kind, at, length } of listSegments(file)) {
    if (scans > 0) cost += toEquivalentPixels('jpeg', at - dataAt);
    dataAt = at;
    if (kind === endOfImage) end = at;
    if (isFrameMarker(kind)) frame ??= readFrame(file, kind, at);
    if (kind !== startOfScan || !frame) continue;
    const scanned = file[at + 4] ?? 0;
    if (scans === 0 && !hasMoreScans(frame.kind, { components: frame.blocks.size, scanned })) return 0;
    scans++;
    checkScans(scans, frame);
    cost += costOfScan(file.subarray(at + 4, at + 2 + length), frame);
  }
  return scans > 0 ? cost + toEquivalentPixels('jpeg', end - dataAt) : 0;
}

/**
 * Yields the segments of a file, including segments between scans. Like decoders, searches for the next marker. Ends at
 * the end of the image, even if other images follow. Throws AppError `corrupt_image`.
 */
export function* listSegments(file: Buffer): Generator<{ kind: number; at: number; length: number }> {
  let segments = 0;
  for (let at = 2; at >= 0 && at + 2 <= file.length; ) {
    const kind = file[at + 1] as number;
    if (file[at] !== 0xff || isScanData(kind)) at = file.indexOf(0xff, at + 1);
    else if (kind === endOfImage) return yield { kind, at, length: 0 };
    else {
      if (at + 4 > file.length) return;
      if (++segments > limits.inspectionSteps.jpeg)
        throw new AppError('corrupt_image', { limitName: 'image_structure' });
      const length = file.readUInt16BE(at + 2);
      yield { kind, at, length };
      at += 2 + length;
    }
  }
}

function readFrame(file: Buffer, kind: number, at: number): Frame | undefined {
  const components = file[at + 9] ?? 0;
  if (at + 10 + 3 * components > file.length) return undefined;
  const [height, width] = [file.readUInt16BE(at + 5), file.readUInt16BE(at + 7)];
  const list = Array.from({ length: components }, (_, i) => {
    const [id = 0, sampling = 0] = file.subarray(at + 10 + 3 * i, at + 12 + 3 * i);
    return { id, across: sampling >> 4, down: sampling & 15 };
  });
  const [across, down] = [Math.max(1, ...list.map((one) => one.across)), Math.max(1, ...list.map((one) => one.down))];
  const blocks = list.map((one): [number, number] => [
    one.id,
    Math.ceil((width * one.across) / across / 8) * Math.ceil((height * one.down) / down / 8),
  ]);
  return { kind, pixels: width * height, blocks: new Map(blocks) };
}

/** Returns the cost of a scan, measured in pixels. `header`: scan header, starting at the component count. */
function costOfScan(header: Buffer, { kind, blocks }: Frame): number {
  const components = header[0] ?? 0;
  let visits = 0;
  for (let i = 0; i < components; i++) visits += blocks.get(header[1 + 2 * i] ?? 0) ?? 0;
  const [from = 0, to = 0] = header.subarray(1 + 2 * components);
  return scanCostPixels + visits * (hasAdaptiveCodes(kind) ? 1 + Math.max(0, to - from) / coefficientsPerPixel : 1);
}

function checkScans(scans: number, { pixels }: Frame): void {
  const most = Math.max(limits.jpegScans, Math.floor(limits.jpegScannedPixels / (pixels + scanCostPixels)));
  if (scans <= most) return;
  const detail = `The JPEG has more than ${formatCount(most)} scans, the maximum for its size. Open it in an image editor, save it as a new file, and try again.`;
  throw new AppError('image_too_complex', { detail, meta: { limit: most, value: scans } });
}
