import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { describeUnsupported } from '@uprez/imaging/sniff/describe-unsupported';
import { sniffedBytes, sniffFormat } from '@uprez/imaging/sniff/sniff-format';
import PQueue from 'p-queue';
import { useEffect } from 'react';
import { readSize } from '../../../lib/images/image-size.ts';
import { readHiddenImage } from '../../../lib/images/read-hidden-image.ts';
import { changeRow, findRow } from '../state/bulk-store.ts';
import type { Row } from '../state/row.ts';

/** One at a time, so that thumbnails of visible rows are not delayed much. */
const reading = new PQueue({ concurrency: 1 });
const queued = new WeakSet<File>();

/** Why the server would not accept a file, from its first bytes; undefined for supported formats. */
export async function findFileError(file: Blob): Promise<string | undefined> {
  const known = sniffFormat(new Uint8Array(await file.slice(0, sniffedBytes).arrayBuffer()));
  if (known?.readable) return undefined;
  return known ? describeUnsupported(known.name) : errorCodes.unsupported_format.title;
}

async function readFile({ id }: Row, file: File): Promise<void> {
  if (findRow(id)?.status !== 'pending') return;
  const error = await findFileError(file).catch(() => undefined);
  if (error) {
    changeRow(id, (row) => (row.status === 'pending' && !row.item ? { ...row, status: 'rejected', error } : row));
    return;
  }
  if (findRow(id)?.imageSize) return;
  const url = URL.createObjectURL(file);
  const shown = await readSize(url).finally(() => URL.revokeObjectURL(url));
  const imageSize = shown ?? (await readHiddenImage(file).catch(() => undefined))?.size;
  if (imageSize) changeRow(id, (row) => (row.imageSize ? row : { ...row, imageSize }));
}

/** Reads the header of each new file: rejects files that are not images, and stores the size of the others. */
export function useFileHeaders(rows: readonly Row[]): void {
  useEffect(() => {
    for (const row of rows) {
      const { file, status } = row;
      if (!file || status !== 'pending' || queued.has(file)) continue;
      queued.add(file);
      void reading.add(() => readFile(row, file));
    }
  }, [rows]);
}
