import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import { afterSeconds, now, today } from '../../times.ts';

const secondsUntil = (time: string) =>
  sql<number>`greatest(0, extract(epoch from ${sql.raw(time)} - now()))::double precision`;

const selectAccount = prepareQuery((db, { keyId }: { keyId: string }) =>
  db
    .selectFrom('imageUrlSettings as settings')
    .innerJoin('users', 'users.id', 'settings.accountId')
    .select(['settings.accountId', 'settings.isEnabled', 'settings.hosts', 'settings.secret'])
    .select(['users.tier', 'users.planVersion', 'users.termsVersion', 'users.isService'])
    .select([
      sql<string | null>`case when settings.former_until > now() then settings.former_secret end`.as('formerSecret'),
      sql<boolean>`users.suspended_at is not null`.as('isSuspended'),
    ])
    .where('settings.keyId', '=', keyId),
);

/** Finds the account that image URLs with this key ID belong to. */
export async function findImageAccount(db: DbOrTx, keyId: string) {
  const [found] = await selectAccount(db, { keyId });
  return found;
}
export type ImageAccount = NonNullable<Awaited<ReturnType<typeof findImageAccount>>>;

export type ImageKey = { accountId: string; hash: string };

const selectImage = prepareQuery((db, { accountId, hash }: ImageKey) =>
  db
    .selectFrom('users')
    .leftJoin('imageUrlResults as cached', (join) =>
      join.onRef('cached.accountId', '=', 'users.id').on('cached.hash', '=', hash),
    )
    .leftJoin('jobs', 'jobs.id', 'cached.jobId')
    .leftJoin('objects', (join) =>
      join.onRef('objects.id', '=', 'jobs.resultId').on('objects.state', '=', sql.lit('stored' as const)),
    )
    .select(['cached.errorCode', 'cached.errorDetail'])
    .select(['jobs.id as jobId', 'jobs.status', 'jobs.errorCode as jobErrorCode', 'jobs.errorDetail as jobErrorDetail'])
    .select(['jobs.filename', 'jobs.recipe', 'jobs.plan', 'jobs.receipt'])
    .select(['objects.id as objectId', 'objects.key', 'objects.size', 'objects.sha256'])
    .select([
      sql<number | null>`extract(epoch from now() - jobs.finished_at)::double precision`.as('endedS'),
      sql<boolean>`coalesce(cached.claimed_until > now(), false)`.as('isClaimed'),
      sql<boolean>`coalesce(jobs.expires_at > now(), false)`.as('isKept'),
      sql<number>`coalesce(${secondsUntil('least(cached.fresh_until, jobs.expires_at)')}, 0)`.as('freshS'),
      sql<number>`coalesce(${secondsUntil('cached.fresh_until')}, 0)`.as('retryS'),
      sql<string>`${today}::text`.as('today'),
      sql<number>`extract(epoch from now())::double precision`.as('nowS'),
    ])
    .where('users.id', '=', accountId),
);

/**
 * Finds the cached outcome of an image, with its job and its stored result. Returns undefined if the account is
 * deleted.
 */
export async function findCachedImage(db: DbOrTx, image: ImageKey) {
  const [found] = await selectImage(db, image);
  return found;
}
export type CachedImage = NonNullable<Awaited<ReturnType<typeof findCachedImage>>>;

/**
 * A claim on an image, which entitles its holder to store the outcome. `claim`: when the claim ends. Serves as a
 * fencing token, because a newer claim ends later.
 */
export type ImageClaim = ImageKey & { claim: string };

/** Claims the preparation of an image for `seconds`. Returns undefined while another request holds the claim. */
export async function claimImage(db: DbOrTx, image: ImageKey, seconds: number): Promise<ImageClaim | undefined> {
  const claimed = await db
    .insertInto('imageUrlResults')
    .values({ ...image, claimedUntil: afterSeconds(seconds) })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'hash'])
        .doUpdateSet({ claimedUntil: afterSeconds(seconds), updatedAt: now })
        .where(sql<boolean>`coalesce(image_url_results.claimed_until <= now(), true)`),
    )
    // Selected as a string, because `Date` has no microseconds.
    .returning(sql<string>`claimed_until::text`.as('claim'))
    .executeTakeFirst();
  return claimed && { ...image, ...claimed };
}

/** Ends a claim, unless another request has claimed the image since. */
const endClaim = (db: DbOrTx, { accountId, hash, claim }: ImageClaim) =>
  db
    .updateTable('imageUrlResults')
    .set({ claimedUntil: null, updatedAt: now })
    .where('accountId', '=', accountId)
    .where('hash', '=', hash)
    .where('claimedUntil', '=', sql<Date>`${claim}::timestamptz`);

/** Ends a claim by storing the job that processes the image. */
export const storeImageJob = (db: DbOrTx, claim: ImageClaim, { jobId, freshS }: { jobId: string; freshS: number }) =>
  endClaim(db, claim)
    .set({ jobId, freshUntil: afterSeconds(freshS), errorCode: null, errorDetail: null })
    .execute();

type ImageError = { code: ErrorCode; detail: string; freshS: number };

/** Ends a claim by storing an error. While an earlier result is still stored, it is served instead of the error. */
export const storeImageError = (db: DbOrTx, claim: ImageClaim, { code, detail, freshS }: ImageError) =>
  endClaim(db, claim)
    .set({ errorCode: code, errorDetail: detail, freshUntil: afterSeconds(freshS) })
    .execute();

/** Ends a claim without storing an outcome. */
export const releaseImageClaim = (db: DbOrTx, claim: ImageClaim) => endClaim(db, claim).execute();

/** Deletes entries that haven't been claimed or updated for `seconds`. Their results have expired. */
export const deleteOldImages = (db: DbOrTx, seconds: number) =>
  db.deleteFrom('imageUrlResults').where('updatedAt', '<=', afterSeconds(-seconds)).execute();
