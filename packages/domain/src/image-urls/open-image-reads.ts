import {
  type CachedImage,
  findCachedImage,
  findImageAccount,
  type ImageAccount,
} from '@uprez/db/queries/image-urls/image-url-results';
import type { Needs } from '../context.ts';
import { makeRecentReads } from '../make-recent-reads.ts';
import { isFresh } from './image-state.ts';

/**
 * How long reads are cached, milliseconds. Changed settings and deleted results apply after this time in all gateways.
 */
const freshMs = 1_000;
const entries = 5_000;

/**
 * Reads accounts by key ID, and cached images by hash. Keeps accounts and fresh results for a second, because most
 * requests are for existing results and pages request the same images repeatedly. `isFirst`: whether this is the
 * request's first read; later reads query the database.
 */
export type ImageReads = {
  account: (keyId: string) => Promise<ImageAccount | undefined>;
  image: (account: ImageAccount, hash: string, isFirst: boolean) => Promise<CachedImage | undefined>;
};

export function openImageReads({ db }: Needs<'db'>): ImageReads {
  const accounts = makeRecentReads<ImageAccount | undefined>({ freshMs, entries });
  const images = makeRecentReads<CachedImage | undefined>({ freshMs, entries });
  return {
    account: (keyId) => accounts.read(keyId, () => findImageAccount(db, keyId)),
    image: async ({ accountId }, hash, isFirst) => {
      const load = () => findCachedImage(db, { accountId, hash });
      if (!isFirst) return load();
      const key = `${accountId} ${hash}`;
      const image = await images.read(key, load);
      if (!image || !isFresh(image)) images.forget(key);
      return image;
    },
  };
}
