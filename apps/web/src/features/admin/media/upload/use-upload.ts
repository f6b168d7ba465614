import { useQueryClient } from '@tanstack/react-query';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../../../lib/api/api-errors.ts';
import { randomUuid } from '../../../../lib/browser/random-id.ts';
import { mediaKey } from '../queries.ts';
import { sendFile } from './send-file.ts';
import { makeRows, type UploadKind, type UploadRow } from './upload-rows.ts';

export type UploadResult = { stored: readonly MediaFile[]; failed: number };
type UploadOptions = { kind: UploadKind; files?: readonly File[]; onEnd: (result: UploadResult) => void };

const rowsOf = (files: readonly File[], kind: UploadKind, taken = 0) =>
  makeRows(files, { kind, taken, makeId: randomUuid });

/** Files that are chosen, and sent one after another. Leaving the page stops the upload. */
export function useUpload({ kind, files = [], onEnd }: UploadOptions) {
  const queryClient = useQueryClient();
  const [rows, setRows] = useState<readonly UploadRow[]>(() => rowsOf(files, kind));
  const [isUploading, setUploading] = useState(false);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const ready = rows.filter(({ state }) => state === 'ready');
  const change = (id: string, values: Partial<UploadRow>) =>
    setRows((before) => before.map((row) => (row.id === id ? { ...row, ...values } : row)));
  const send = async ({ id, file }: UploadRow, signal: AbortSignal) => {
    change(id, { state: 'sending' });
    try {
      const stored = await sendFile(file, { signal, onPercent: (percent) => change(id, { percent }) });
      change(id, { state: 'done', percent: 100 });
      return [stored];
    } catch (error) {
      signal.throwIfAborted();
      change(id, { state: 'refused', reason: errorMessage(error) });
      return [];
    }
  };
  const start = async () => {
    const transfer = new AbortController();
    const { signal } = transfer;
    stop.current = transfer;
    setUploading(true);
    const refused = rows.filter(({ state }) => state === 'refused').length;
    const stored: MediaFile[] = [];
    try {
      for (const row of ready) stored.push(...(await send(row, signal)));
    } finally {
      await queryClient.invalidateQueries({ queryKey: mediaKey });
    }
    setUploading(false);
    onEnd({ stored, failed: refused + ready.length - stored.length });
  };
  return {
    rows,
    isUploading,
    isReady: ready.length > 0,
    add: (added: readonly File[]) => setRows((before) => [...before, ...rowsOf(added, kind, countReady(before))]),
    remove: (id: string) => setRows((before) => before.filter((row) => row.id !== id)),
    clear: () => setRows([]),
    start: () => void start().catch(ignoreAbort),
  };
}

const countReady = (rows: readonly UploadRow[]) => rows.filter(({ state }) => state === 'ready').length;

/** Only an abort rejects: errors of files are shown beside them. */
function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
}
