import { AppError } from '@uprez/contracts/errors/app-error';
import { termsSlug } from '@uprez/contracts/texts/site/pages';
import type { Tx } from '@uprez/db/database';
import { storeTermsAcceptance, type UserRow } from '@uprez/db/queries/accounts/users';
import { findNewestVersion, type LegalVersionRow, listLegalVersions } from '@uprez/db/queries/content/legal-versions';
import type { Needs } from '../context.ts';
import { makeRecentReads } from '../make-recent-reads.ts';

const freshnessMs = 1_000;

export type TermsCache = {
  read: () => Promise<LegalVersionRow[]>;
  /** Discards the cached versions. Called after this process publishes a version. */
  forget: () => void;
};

/**
 * Opens a cache for the versions of the terms of service. Queries them at most once per second, which saves a query for
 * each request.
 */
export function makeTermsCache({ db }: Needs<'db'>): TermsCache {
  const recent = makeRecentReads<LegalVersionRow[]>({ freshMs: freshnessMs, entries: 1 });
  return {
    forget: () => recent.forget(termsSlug),
    read: () => recent.read(termsSlug, () => listLegalVersions(db, termsSlug)),
  };
}

type TermsAcceptance = Pick<UserRow, 'termsVersion'> & { isService?: boolean };

/**
 * Terms that a user has yet to accept. `version`: the newest version. `isRequired`: whether images can't be processed
 * until the user accepts the terms.
 */
export type PendingTerms = { version: number; effectiveAt: Date; isRequired: boolean };

/**
 * Returns the terms that a user has yet to accept. Undefined if the user has accepted them all. Probe accounts never
 * have to accept terms.
 */
export function findPendingTerms(
  versions: readonly LegalVersionRow[],
  { termsVersion, isService = false }: TermsAcceptance,
): PendingTerms | undefined {
  const asked = versions.filter(({ number, mustAccept }) => mustAccept && number > (termsVersion ?? 0));
  // Versions are sorted newest first. If the user must accept several, the earliest effective date counts.
  const [newest] = versions;
  const effectiveAt = asked.map((version) => version.effectiveAt).sort((one, other) => Number(one) - Number(other))[0];
  if (!newest || !effectiveAt || isService) return undefined;
  return { version: newest.number, effectiveAt, isRequired: asked.some(({ isEffective }) => isEffective) };
}

/** Throws `terms_not_accepted` if a user must accept the terms of service before images can be processed. */
export async function requireAcceptedTerms(terms: Pick<TermsCache, 'read'>, user: TermsAcceptance): Promise<void> {
  if (findPendingTerms(await terms.read(), user)?.isRequired) throw new AppError('terms_not_accepted');
}

/**
 * Accepts the terms of service for a user who is signing up, and returns the user. Accepts the version in force, if
 * any, because the sign-up page shows that one.
 */
export async function acceptTermsInForce(
  tx: Tx,
  user: UserRow,
  { address = null }: { address?: string | null | undefined },
): Promise<UserRow> {
  const version = await findNewestVersion(tx, termsSlug, { isInForce: true });
  if (version === undefined) return user;
  await storeTermsAcceptance(tx, { userId: user.id, version, address });
  return { ...user, termsVersion: version };
}

/** Accepts the newest version of the terms of service. Throws `invalid_parameter` for any other version. */
export const acceptTerms = (
  { db }: Needs<'db'>,
  { userId, version, address }: { userId: string; version: number; address: string | undefined },
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    if (version !== (await findNewestVersion(tx, termsSlug)))
      throw new AppError('invalid_parameter', {
        param: 'version',
        detail: "This isn't the current version of the terms. Reload the page, and read the current one.",
      });
    await storeTermsAcceptance(tx, { userId, version, address: address ?? null });
  });
