import { AppError } from '@uprez/contracts/errors/app-error';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { guardedSharp } from '../../decoders.ts';
import { toJxlColor } from '../../inspect/read-source-color.ts';
import { makeWorkBudget } from '../../inspect/work-budget.ts';
import { openJxlContainer } from '../../jxl/open-container.ts';
import { bytesOf } from '../../jxl/read-bits.ts';
import { readJxlHeader } from '../../jxl/read-jxl-header.ts';
import { applyColor } from '../color/apply-color.ts';
import type { RowStream } from '../rows/row-stream.ts';
import { type Unpacked, writeTiff } from '../rows/write-tiff.ts';
import { type JxlWorker, openJxlWorker } from './open-jxl-worker.ts';

type Unpacking = {
  file: Buffer;
  pipeline: ImagePipeline;
  path: string;
  signal: AbortSignal | undefined;
  report: (share: number) => void;
};

/** Decode a JPEG XL file to a TIFF. Throws AppError `corrupt_image` or `cancelled`. */
export async function unpackJxl({ file, pipeline: { source }, path, signal, report }: Unpacking): Promise<Unpacked> {
  const budget = makeWorkBudget();
  const { codestream } = openJxlContainer(file, () => budget.take('jxl'));
  const worker = await openJxlWorker(guardedSharp.concurrency(), signal);
  try {
    const image = await worker.ask({ type: 'open', codestream }, 'opened');
    const depth = source.bitDepth > 8 ? 16 : 8;
    const isExpected = image.width === source.width && image.height === source.height && image.bands >= source.channels;
    if (!isExpected || image.format !== (depth === 16 ? 'ushort' : 'uchar')) throw new AppError('corrupt_image');
    const { width, height, channels } = source;
    const rows: RowStream = { width, height, channels, depth, read: (count) => readRows(worker, count, channels) };
    const icc = source.hasProfile && image.icc ? Buffer.from(image.icc) : undefined;
    const color = toJxlColor(readJxlHeader(bytesOf(codestream)).codes);
    const applied = await applyColor({ rows, color, profile: icc, path });
    await writeTiff(path, applied.rows, { icc: applied.icc, onRows: (count) => report(count / height) });
    return { path, notes: applied.notes };
  } finally {
    await worker.close();
  }
}

const readRows = async (worker: JxlWorker, count: number, channels: number) =>
  (await worker.ask({ type: 'read', count, channels }, 'rows')).samples;
