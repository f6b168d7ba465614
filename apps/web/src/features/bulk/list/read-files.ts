import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { describeUnsupported } from '@uprez/imaging/sniff/describe-unsupported';
import { sniffedBytes, sniffFormat } from '@uprez/imaging/sniff/sniff-format';
import PQueue from 'p-queue';
import { useEffect } from 'react';
import { hasTransparency } from '../../../lib/images/has-transparency.ts';
import { readImageSize } from '../../../lib/images/image-size.ts';
import { readHiddenImage } from '../../../lib/images/read-hidden-image.ts';
import { readImageFacts } from '../../../lib/images/read-image-facts.ts';
import { changeRow, findRow, getBulk } from '../state/bulk-store.ts';
import type { Row } from '../state/row.ts';

/** Reads one file at a time, because more would delay the thumbnails of visible rows. */
const readQueue = new PQueue({ concurrency: 1 });
const queuedFiles = new WeakSet<File>();

/**
 * Checks the first bytes of a file. Returns why the server would reject it, or undefined if its format is supported.
 */
export async function findFileError(file: Blob): Promise<string | undefined> {
  const known = sniffFormat(new Uint8Array(await file.slice(0, sniffedBytes).arrayBuffer()));
  if (known?.readable) return undefined;
  return known ? describeUnsupported(known.name) : errorCodes.unsupported_format.title;
}

/**
 * Returns the hash of a file if another file in the list has the same size. Otherwise returns undefined. Also returns
 * undefined without a secure connection, which `crypto.subtle` requires.
 */
async function readDigest(id: string, file: File): Promise<string | undefined> {
  const twins = getBulk().rows.filter((row) => row.size === file.size && row.id !== id);
  if (twins.length === 0 || !globalThis.crypto.subtle) return undefined;
  for (const twin of twins)
    if (twin.file && !twin.digest) {
      const digest = await hashFile(twin.file);
      changeRow(twin.id, (row) => ({ ...row, digest }));
    }
  return hashFile(file);
}

async function hashFile(file: File): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function readFile({ id }: Row, file: File): Promise<void> {
  if (findRow(id)?.status !== 'pending') return;
  const error = await findFileError(file).catch(() => undefined);
  if (error) {
    changeRow(id, (row) => (row.status === 'pending' && !row.item ? { ...row, status: 'rejected', error } : row));
    return;
  }
  const facts = await readImageFacts(file);
  const isTransparent = facts.traits?.hasAlpha ? await hasTransparency(file).catch(() => true) : false;
  const digest = await readDigest(id, file).catch(() => undefined);
  changeRow(id, (row) => ({ ...row, facts: { ...facts, isTransparent }, ...(digest && { digest }) }));
  if (findRow(id)?.imageSize) return;
  const url = URL.createObjectURL(file);
  const shown = await readImageSize(url).finally(() => URL.revokeObjectURL(url));
  const imageSize = shown ?? (await readHiddenImage(file).catch(() => undefined))?.size;
  if (imageSize) changeRow(id, (row) => (row.imageSize ? row : { ...row, imageSize }));
}

/**
 * Reads the header of each new file. Rejects unsupported formats. For all other files, stores the image size and other
 * metadata.
 */
export function useFileHeaders(rows: readonly Row[]): void {
  useEffect(() => {
    for (const row of rows) {
      const { file, status } = row;
      if (!file || status !== 'pending' || queuedFiles.has(file)) continue;
      queuedFiles.add(file);
      void readQueue.add(() => readFile(row, file));
    }
  }, [rows]);
}
