import {
  type CachedImage,
  findCachedImage,
  findImageAccount,
  type ImageAccount,
} from '@uprez/db/queries/image-urls/image-url-results';
import type { Needs } from '../context.ts';
import { makeRecentReads } from '../make-recent-reads.ts';
import { isFresh } from './image-state.ts';

/** Changed settings and deleted results apply after this time, in all gateways. */
const freshMs = 1_000;
const entries = 5_000;

/**
 * Reads accounts by key ID, and what is cached for them. Most requests are for results that exist, so those are kept for
 * a second: pages request the same images again and again. `isFirst`: of this request; later reads look at the database.
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
