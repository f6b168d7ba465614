import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { checkUrl } from '@uprez/guarded-fetch/check-url';
import { type Fetched, fetchGuarded } from '@uprez/guarded-fetch/fetch-guarded';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { abandonUpload, beginUpload } from './begin-upload.ts';
import { largestUpload } from './largest-upload.ts';

export type { FetchNetwork } from '@uprez/guarded-fetch/fetch-guarded';
export type Wanted = { url: string; signal: AbortSignal };
export type FetchedUpload = { id: string; key: string; sizeBytes: number; sha256: string } & Omit<Fetched, 'stream'>;

/** Fetch an image into storage. Throws `url_not_allowed`, `url_unreachable`, `file_too_large`, or `storage_full`. */
export async function fetchUpload(
  ctx: Needs<'db' | 'storage' | 'log' | 'network'>,
  { actor, url, signal }: { actor: Actor } & Wanted,
): Promise<FetchedUpload> {
  const caps = { maxBytes: largestUpload(actor), timeoutMs: limits.fetchSeconds * 1_000 };
  const { stream, ...facts } = await fetchGuarded(url, {
    ...caps,
    signal,
    ...(ctx.network && { network: ctx.network }),
  });
  try {
    const begun = await beginUpload(ctx, { actor });
    try {
      const stored = await ctx.storage.put(begun.key, stream, { signal });
      return { ...begun, ...stored, ...facts };
    } catch (error) {
      await abandonUpload(ctx, begun);
      throw error;
    }
  } finally {
    stream.destroy();
  }
}

/** Checks the syntax of an image URL and returns its filename. Throws `url_not_allowed` with this parameter. */
export function checkImageUrl(text: string, param: string): string {
  try {
    const { pathname } = checkUrl(text.trim()).url;
    return pathname.split('/').at(-1) ?? '';
  } catch (error) {
    throw error instanceof AppError ? error.with({ param }) : error;
  }
}
