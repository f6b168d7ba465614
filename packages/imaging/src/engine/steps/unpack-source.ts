import { AppError } from '@uprez/contracts/errors/app-error';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { makeCanvasTransparent } from '../../canvas/make-canvas-transparent.ts';
import { guardedSharp } from '../../decoders.ts';
import { labelAsStill } from '../../inspect/label-as-still.ts';
import { readSourceColor, toJxlColor } from '../../inspect/read-source-color.ts';
import { makeWorkBudget } from '../../inspect/work-budget.ts';
import { makeByteReader } from '../../jxl/make-bit-reader.ts';
import { splitJxlContainer } from '../../jxl/open-container.ts';
import { readJxlHeader } from '../../jxl/read-jxl-header.ts';
import { applyColor } from '../color/apply-color.ts';
import { decodeToTiff } from '../color/decode-to-tiff.ts';
import { unpackHeic } from '../heif/unpack-heic.ts';
import { type JxlWorker, openJxlWorker } from '../jxl/open-jxl-worker.ts';
import type { RowStream } from '../rows/row-stream.ts';
import { type UnpackedFile, writeTiff } from '../rows/write-tiff.ts';
import { throwIfCancelled } from '../stages.ts';
import { unpackExtraChannels } from './unpack-extra-channels.ts';

/** Input of the decoder: the file, or its pixels if libvips can't decode the format or doesn't detect its colors. */
export type SourceFile = Buffer | UnpackedFile;

type UnpackInput = {
  file: Buffer;
  pipeline: ImagePipeline;
  path: string;
  signal?: AbortSignal;
  report?: (share: number) => void;
};

/**
 * Decodes an image to a TIFF at `path` if libvips can't decode it or would show it in other colors. Returns other
 * images as a buffer for libvips. Throws AppError `corrupt_image` or `cancelled`.
 */
export async function unpackSource({
  file,
  pipeline,
  path,
  signal,
  report = () => {},
}: UnpackInput): Promise<SourceFile> {
  const { format } = pipeline.source;
  if (format === 'jxl') return unpackJxl({ file, pipeline, path, signal, report });
  const onTile = () => signal && throwIfCancelled(signal);
  const withoutExtra = await unpackExtraChannels({ file, pipeline, path });
  if (withoutExtra) return withoutExtra;
  if (format === 'heic') return unpackHeic({ file, path, onTile, report });
  const color = readSourceColor(file, format);
  const isOwnWork = format === 'bmp' || (pipeline.source.space === 'grey' && pipeline.source.hasProfile);
  if (color.kind === 'encoded' || (color.kind === 'embedded' && isOwnWork))
    return decodeToTiff({ file, pipeline, path, color, report });
  return format === 'avif' ? labelAsStill(file) : makeCanvasTransparent(file);
}

type UnpackJxlInput = {
  file: Buffer;
  pipeline: ImagePipeline;
  path: string;
  signal: AbortSignal | undefined;
  report: (share: number) => void;
};

/** Throws AppError `corrupt_image` or `cancelled`. */
async function unpackJxl({ file, pipeline: { source }, path, signal, report }: UnpackJxlInput): Promise<UnpackedFile> {
  const budget = makeWorkBudget();
  const { codestream } = splitJxlContainer(file, () => budget.take('jxl'));
  const worker = await openJxlWorker(guardedSharp.concurrency(), signal);
  try {
    const image = await worker.ask({ type: 'open', codestream }, 'opened');
    const depth = source.bitDepth > 8 ? 16 : 8;
    const isExpected = image.width === source.width && image.height === source.height && image.bands >= source.channels;
    if (!isExpected || image.format !== (depth === 16 ? 'ushort' : 'uchar')) throw new AppError('corrupt_image');
    const { width, height, channels } = source;
    const rows: RowStream = { width, height, channels, depth, read: (count) => readRows(worker, count, channels) };
    const icc = source.hasProfile && image.icc ? Buffer.from(image.icc) : undefined;
    const color = toJxlColor(readJxlHeader(makeByteReader(codestream)).codes);
    const applied = await applyColor({ rows, color, profile: icc, path });
    await writeTiff(path, applied.rows, { icc: applied.icc, onRows: (count) => report(count / height) });
    return { path, notes: applied.notes };
  } finally {
    await worker.close();
  }
}

const readRows = async (worker: JxlWorker, count: number, channels: number) =>
  (await worker.ask({ type: 'read', count, channels }, 'rows')).samples;
