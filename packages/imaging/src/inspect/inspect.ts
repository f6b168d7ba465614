import { AppError } from '@uprez/contracts/errors/app-error';
import type { InputFormat } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { formatCount } from '@uprez/contracts/texts/format';
import { canvasOf, listGifFrames } from '../canvas/list-gif-frames.ts';
import { makeWebpCanvasTransparent } from '../canvas/make-canvas-transparent.ts';
import { hasUncoveredArea } from '../canvas/make-gif-canvas-transparent.ts';
import { describeHeif, findBox } from '../heif/describe-heif.ts';
import { readMeta } from '../heif/read-meta.ts';
import { maxDerivedBytes } from '../heif/read-stored-image.ts';
import { openFrameWalk } from '../jxl/frames/walk-frames.ts';
import { openCodestream } from '../jxl/open-codestream.ts';
import { readJxlHeader } from '../jxl/read-jxl-header.ts';
import { checkInput } from '../pipeline/check-pipeline.ts';
import { describeUnsupported } from '../sniff/describe-unsupported.ts';
import { sniffedBytes, sniffFormat } from '../sniff/sniff-format.ts';
import { countDecodedPixels } from './cost/decode-cost.ts';
import { hasMoreScans, isFrameMarker } from './cost/jpeg-scans.ts';
import { makeFrameCounter } from './cost/jxl-pixels.ts';
import { countFrames, endsWithPngEnd, hasPngEnd } from './count-frames.ts';
import { inspectTiff } from './inspect-tiff.ts';
import { inspectWithSharp } from './inspect-with-sharp.ts';
import { inspectBmp } from './read-bmp-header.ts';
import { unsupportedColors } from './read-error.ts';
import { toSourceColor } from './read-source-color.ts';
import { readTiff, usesJpeg } from './read-tiff.ts';
import { isOverBudget, makeWorkBudget, type WorkBudget } from './work-budget.ts';

type RangeSource = { sizeBytes: number; read: ReadBytes; budget?: WorkBudget };

/**
 * Inspects a file of `sizeBytes` bytes, reading only the ranges it needs. Throws the same errors as `inspect`, and the
 * errors of `read`.
 */
export async function inspectRanges({ sizeBytes, read, budget = makeWorkBudget() }: RangeSource): Promise<Inspection> {
  const file = openPartialFile(sizeBytes, read);
  await loadHeader(file, budget);
  return inspect(file.bytes, budget);
}

/**
 * Reads the header of an image without decoding pixels. Detects the format by content, not by file name. Files whose
 * structure takes more steps than `limits.inspectionSteps` are treated as corrupt. Throws AppError `empty_file`,
 * `unsupported_format`, `corrupt_image`, `side_too_long`, `too_many_pixels`, `too_many_frames`, or `image_too_complex`.
 */
export async function inspect(file: Buffer, budget = makeWorkBudget()): Promise<Inspection> {
  if (file.length === 0) throw new AppError('empty_file');
  const known = sniffFormat(file);
  if (!known) throw new AppError('unsupported_format');
  if (!known.readable) throw new AppError('unsupported_format', { detail: describeUnsupported(known.name) });
  checkFrameCount(file, known.readable, budget);
  const inspection = await readHeader(file, known.readable, budget);
  const rejection = checkInput(inspection);
  if (rejection) throw new AppError(rejection.code, { detail: rejection.detail, meta: rejection.meta });
  const decodedPixels = countDecodedPixels(file, inspection, budget);
  return decodedPixels ? { ...inspection, decodedPixels } : inspection;
}

function readHeader(file: Buffer, format: InputFormat, budget: WorkBudget): Inspection | Promise<Inspection> {
  if (format === 'gif') return inspectGif(file, budget);
  if (format === 'bmp') return inspectBmp(file);
  if (format === 'tiff') return inspectTiff(file, budget);
  if (format === 'heic') return inspectHeic(file, budget);
  if (format === 'jxl') return inspectJxl(file, budget);
  const isCut = format === 'png' && !hasPngEnd(file, budget);
  if (isOverBudget(budget, format)) throw new AppError('corrupt_image', { limitName: 'image_structure' });
  if (isCut) throw new AppError('corrupt_image');
  return inspectWithSharp(format === 'webp' ? makeWebpCanvasTransparent(file) : file, format);
}

/** Checks the number of images before a decoder counts them. Throws AppError `too_many_frames`. */
function checkFrameCount(file: Buffer, format: InputFormat, budget: WorkBudget): void {
  const frames = countFrames(file, format, budget);
  const count = `${isOverBudget(budget, format) ? 'more than ' : ''}${formatCount(frames)}`;
  if (frames > limits.frames)
    throw new AppError('too_many_frames', {
      detail: `The file has ${count} pages. The maximum is ${formatCount(limits.frames)}.`,
      meta: { limit: limits.frames, value: frames },
    });
}

const alphaGifChannels = 4;

/** Throws AppError `corrupt_image`. */
async function inspectGif(file: Buffer, budget: WorkBudget): Promise<Inspection> {
  const { frames, end } = listGifFrames(file, budget);
  if (isOverBudget(budget, 'gif')) throw new AppError('corrupt_image', { limitName: 'image_structure' });
  // The decoder doesn't report incomplete frames.
  if (end > file.length) throw new AppError('corrupt_image');
  const inspection = await inspectWithSharp(file, 'gif');
  return hasUncoveredArea(frames, canvasOf(file))
    ? { ...inspection, hasAlpha: true, channels: alphaGifChannels }
    : inspection;
}

/** Inspects a HEIC image. Throws AppError `corrupt_image`, `unsupported_format`, or `too_many_pixels`. */
function inspectHeic(file: Buffer, budget: WorkBudget): Inspection {
  const image = describeHeif(file, () => budget.take('heic'));
  const { stored, alpha, view, colors, isGray, bitDepth } = image;
  const isTurned = view.orientation > 4;
  const hasAlpha = alpha !== undefined;
  return {
    format: 'heic',
    width: isTurned ? view.area.height : view.area.width,
    height: isTurned ? view.area.width : view.area.height,
    orientation: view.orientation,
    channels: (isGray ? 1 : 3) + (hasAlpha ? 1 : 0),
    space: isGray ? 'grey' : 'rgb',
    isPalette: false,
    bitDepth,
    hasAlpha,
    hasProfile: toSourceColor(file, colors).kind !== 'srgb',
    // Grids with several rows of tiles are decoded row by row, unless the image is turned or flipped vertically.
    decodesWhole: stored.kind !== 'tiles' || stored.rows === 1 || view.orientation > 2,
    frames: 1,
  };
}

/** Inspects a JPEG XL image. Throws AppError `corrupt_image` or `unsupported_format`. */
function inspectJxl(file: Buffer, budget: WorkBudget): Inspection {
  const header = readJxlHeader(openCodestream(file, { take: () => budget.take('jxl') }));
  const { width, height, orientation, bitDepth, isGray, hasAlpha, hasProfile } = header;
  if (header.isFloat || header.hasBlack || bitDepth > 16)
    throw new AppError('unsupported_format', { detail: unsupportedColors });
  if (header.isAnimated) throw new AppError('unsupported_format', { detail: describeUnsupported('JPEG XL animation') });
  const isTurned = orientation > 4;
  return {
    format: 'jxl',
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    orientation,
    channels: (isGray ? 1 : 3) + (hasAlpha ? 1 : 0),
    space: isGray ? 'grey' : 'rgb',
    isPalette: false,
    bitDepth: Math.max(8, bitDepth),
    hasAlpha,
    hasProfile,
    decodesWhole: true,
    frames: 1,
  };
}

/** Bytes to load from the end of a file, because TGA files are recognized by their footer. */
const sniffedEndBytes = 18;

/**
 * Loads every byte of a file that `inspect` and the decoders' header readers access. Throws AppError `corrupt_image`.
 */
async function loadHeader(file: PartialFile, budget: WorkBudget): Promise<void> {
  const { length } = file.bytes;
  await file.load(0, sniffedBytes);
  const known = sniffFormat(file.bytes);
  if (!known) await file.load(length - sniffedEndBytes, length);
  if (known?.readable) await loaders[known.readable](file, budget);
}

const loadWholeFile = ({ bytes, load }: PartialFile) => load(0, bytes.length);

/**
 * GIF and AVIF files are read whole: GIF data is stored in blocks of up to 255 bytes, and AVIF metadata may lie between
 * the pixels.
 */
const loaders: Record<InputFormat, (file: PartialFile, budget: WorkBudget) => Promise<void>> = {
  jpeg: loadJpeg,
  png: loadPng,
  webp: loadWebp,
  tiff: loadTiff,
  bmp: ({ load }) => load(0, 2_048),
  gif: loadWholeFile,
  avif: loadWholeFile,
  heic: loadHeic,
  jxl: loadJxl,
};

/** Whether a marker of ITU-T T.81 has no length: TEM, and RST0 to RST7. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda];

/** Loads everything up to the first scan, or the whole file if decoders read more than one scan. */
async function loadJpeg(file: PartialFile, budget: WorkBudget): Promise<void> {
  const { bytes, load } = file;
  let [frame, components] = [0, 0];
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (!budget.take('jpeg')) throw new AppError('corrupt_image');
    await load(at, at + 4);
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    const isRegular = bytes[at] === 0xff && marker > 0 && marker < 0xff && length >= 2;
    if (isBare(marker) && bytes[at] === 0xff) at += 2;
    // Decoders search for the next marker, so the whole file may be read.
    else if (!isRegular || marker === startOfImage || marker === endOfImage) return loadWholeFile(file);
    else {
      await load(at, at + 2 + length);
      if (isFrameMarker(marker)) [frame, components] = [marker, bytes[at + 9] ?? 0];
      if (marker === startOfScan)
        return hasMoreScans(frame, { components, scanned: bytes[at + 4] ?? 0 }) ? loadWholeFile(file) : undefined;
      at += 2 + length;
    }
  }
  await loadWholeFile(file);
}

/** Loads everything up to the first IDAT chunk, and the end of the file. */
async function loadPng(file: PartialFile, budget: WorkBudget): Promise<void> {
  const { bytes, isLoaded, load } = file;
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (!budget.take('png')) throw new AppError('corrupt_image');
    if (!isLoaded(at, at + 8)) await load(at, at + 8);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') break;
    const end = at + 12 + bytes.readUInt32BE(at);
    if (!isLoaded(at, end)) await load(at, end);
  }
  await load(bytes.length - 12, bytes.length);
  if (!endsWithPngEnd(bytes)) await loadWholeFile(file);
}

const pixelChunks = ['VP8 ', 'VP8L', 'ALPH'];
const pixelHeaderBytes = 64;

/** Loads all chunks, but only the beginning of pixel chunks. Loads animations whole. */
async function loadWebp(file: PartialFile, budget: WorkBudget): Promise<void> {
  const { bytes, load } = file;
  for (let at = 12; at + 8 <= bytes.length; ) {
    if (!budget.take('webp')) throw new AppError('corrupt_image');
    await load(at, at + 8);
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (name === 'ANIM' || name === 'ANMF') return loadWholeFile(file);
    await load(at, at + 8 + (pixelChunks.includes(name) ? Math.min(length, pixelHeaderBytes) : length));
    at += 8 + length + (length % 2);
  }
  await load(bytes.length - 8, bytes.length);
}

const boxHeaderBytes = 16;

/** Loads the `meta` box, and the data of grid and overlay items. */
async function loadHeic(file: PartialFile, budget: WorkBudget): Promise<void> {
  const { bytes, load } = file;
  const take = () => budget.take('heic');
  for (let at = 0; ; ) {
    await load(at, at + boxHeaderBytes);
    const box = take() ? findBox(bytes, at) : undefined;
    if (!box) return;
    if (box.type === 'meta') {
      await load(box.start, box.end);
      const { items } = readMeta(bytes, box, take);
      for (const { type, extents } of items.values())
        if (type === 'grid' || type === 'iovl')
          for (const { start, end } of extents) await load(start, Math.min(end, start + maxDerivedBytes));
    }
    at = box.end;
  }
}

/** Minimum bytes per read. Enough for the fields, channel names, and section sizes of most images. */
const jxlHeaderBytes = 32 * 1_024;

/** Loads the headers of boxes and frames, and the tables of contents of the frames. */
async function loadJxl({ bytes, isLoaded, load }: PartialFile, budget: WorkBudget): Promise<void> {
  const walk = openFrameWalk(bytes, { take: () => budget.take('jxl'), isLoaded, onFrame: makeFrameCounter().add });
  try {
    // Stops at animations, because they are rejected regardless of their frame count.
    for (let missing = walk.run(); missing && !walk.found().stream?.header.isAnimated; missing = walk.run())
      await load(missing.from, Math.max(missing.until, missing.from + jxlHeaderBytes));
  } catch (error) {
    // Ignores the error, because inspection fails at the same frame, after checking the rest of the header.
    if (!(error instanceof AppError) || error.code !== 'image_too_complex') throw error;
  }
}

const maxTiffReads = 16;

/** Files with several pages or with JPEG data are read whole, because libtiff examines all of it. */
async function loadTiff(file: PartialFile, budget: WorkBudget): Promise<void> {
  for (let reads = 0; reads < maxTiffReads; reads++) {
    let missing: [from: number, until: number] | undefined;
    const onRead = (from: number, until: number) => {
      if (!missing && !file.isLoaded(from, until)) missing = [from, until];
    };
    const tiff = readTiff(file.bytes, { onRead, budget, maxPages: 2 });
    if (missing) await file.load(...missing);
    else if (tiff.isOversized) throw new AppError('corrupt_image');
    else if (tiff.pages > 1 || usesJpeg(tiff)) break;
    else return;
  }
  await loadWholeFile(file);
}

type ReadBytes = (from: number, length: number) => Promise<Uint8Array>;

type PartialFile = {
  /** Buffer of the file's length, with zeros where nothing has been loaded. */
  bytes: Buffer;
  isLoaded: (from: number, until: number) => boolean;
  /** Loads at least bytes `from` up to `until`. Bytes beyond the end of the file are ignored. */
  load: (from: number, until: number) => Promise<void>;
};

const blockBytes = 64 * 1024;

/** Each read is at least as long as all earlier reads together, which limits the number of reads. */
function openPartialFile(sizeBytes: number, read: ReadBytes): PartialFile {
  const bytes = Buffer.alloc(sizeBytes);
  const blocks = new Uint8Array(Math.ceil(sizeBytes / blockBytes));
  let loadedBlocks = 0;
  const firstMissing = (from: number, until: number) => {
    const end = Math.min(blocks.length, Math.ceil(until / blockBytes));
    let block = Math.max(0, Math.floor(from / blockBytes));
    while (block < end && blocks[block]) block++;
    return block < end ? block : undefined;
  };
  const load = async (from: number, until: number) => {
    const first = firstMissing(from, until);
    if (first === undefined) return;
    const end = Math.min(blocks.length, Math.max(Math.ceil(until / blockBytes), first + loadedBlocks));
    const start = first * blockBytes;
    bytes.set(await read(start, Math.min(sizeBytes, end * blockBytes) - start), start);
    blocks.fill(1, first, end);
    loadedBlocks += end - first;
  };
  return { bytes, isLoaded: (from, until) => firstMissing(from, until) === undefined, load };
}
