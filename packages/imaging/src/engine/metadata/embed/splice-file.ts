import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/** Bytes to insert before byte `at` of a file, in place of `removed` bytes. */
export type Edit = { at: number; removed?: number; bytes: Buffer };

const chunkBytes = 4 * 1024 * 1024;

/**
 * Rewrites a file with edits, which must be in order of position. Memory use is bounded by the chunk size, not by the
 * file size.
 */
export async function spliceFile(path: string, edits: readonly Edit[]): Promise<void> {
  const written = `${path}.edited`;
  const source = await open(path, 'r');
  try {
    const target = await open(written, 'w', 0o600);
    try {
      const { size } = await source.stat();
      let at = 0;
      for (const edit of edits) {
        await copyBytes({ source, target }, at, edit.at);
        await target.appendFile(edit.bytes);
        at = edit.at + (edit.removed ?? 0);
      }
      await copyBytes({ source, target }, at, size);
    } finally {
      await target.close();
    }
    await rename(written, path);
  } finally {
    await source.close();
    await rm(written, { force: true });
  }
}

type Copying = { source: FileHandle; target: FileHandle };

async function copyBytes({ source, target }: Copying, start: number, end: number): Promise<void> {
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(0, end - start)));
  for (let at = start; at < end; ) {
    const { bytesRead } = await source.read(chunk, 0, Math.min(chunk.length, end - at), at);
    if (bytesRead === 0) throw new Error(`the file ended before byte ${end}`);
    await target.appendFile(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/** Reads `length` bytes from offset `at`, or fewer at the end of the file. */
export async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  return bytes.subarray(0, bytesRead);
}
