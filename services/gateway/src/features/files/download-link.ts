import { createHmac, timingSafeEqual } from 'node:crypto';
import { limits } from '@uprez/contracts/policy/limits';
import { sitePaths } from '@uprez/contracts/texts/site/pages';

export type LinkTarget = { jobId: string; objectId: string };
/** `base` is `/api` or `/v1`. */
export type LinkPath = { name: string; base: string };

const signParts = (secret: string, parts: readonly (string | number)[]) =>
  createHmac('sha256', secret).update(parts.join('.')).digest('base64url');

/** `issued` proves that we issued the URL. `opens` also proves that the URL is for this result. */
const makeSignatures = (secret: string, { jobId, objectId }: LinkTarget, exp: number) => ({
  issued: signParts(secret, [jobId, exp]).slice(0, 22),
  opens: signParts(secret, [jobId, objectId, exp]),
});

/** Compares signatures in constant time. */
export const isSameSignature = (expected: string, given: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** `exp`: Unix time in seconds. */
function makeLinkQuery(secret: string, target: LinkTarget, exp: number) {
  const { issued, opens } = makeSignatures(secret, target, exp);
  return { exp: String(exp), sig: `${issued}.${opens}` };
}

/**
 * Returns a root-relative URL under `base` that anyone can use for 14 to 15 minutes. Rounds `exp` to a whole minute:
 * reading a job twice then returns the same URL, and browsers reuse the cached image.
 */
export function makeDownloadLink(secret: string, target: LinkTarget, { name, base }: LinkPath): string {
  const minutes = Math.floor(Date.now() / 60_000) + limits.downloadLinkMinutes;
  const { exp, sig } = makeLinkQuery(secret, target, minutes * 60);
  return `${base}/files/${target.jobId}/${encodeURIComponent(name)}?exp=${exp}&sig=${sig}`;
}

/** Returns a root-relative URL of the page that shows a result to anyone until `expiresAt`. */
export function makeShareLink(secret: string, target: LinkTarget, expiresAt: Date): string {
  const link = makeLinkQuery(secret, target, Math.floor(expiresAt.getTime() / 1_000));
  return `${sitePaths.shared}?${new URLSearchParams({ id: target.jobId, ...link })}`;
}

type LinkProof = 'valid' | 'issued' | 'foreign';
type CheckedTarget = { jobId: string; objectId: string | undefined };
type Link = { exp: string; sig: string };

/**
 * Verifies a signed URL against several secrets. Returns one of these values:
 * - `valid`: the URL opens the target.
 * - `issued`: we issued the URL, but it has expired, or its result has been deleted. `objectId` is undefined once the
 *   row of the object is deleted.
 * - `foreign`: we didn't issue the URL for this target.
 */
export const checkDownloadLink = (secrets: readonly string[], target: CheckedTarget, link: Link): LinkProof =>
  secrets.map((secret) => checkLink(secret, target, link)).find((proof) => proof !== 'foreign') ?? 'foreign';

function checkLink(secret: string, { jobId, objectId }: CheckedTarget, link: Link): LinkProof {
  const exp = /^\d{1,12}$/.test(link.exp) ? Number(link.exp) : 0;
  const [issued = '', opens = '', ...rest] = link.sig.split('.');
  const expected = makeSignatures(secret, { jobId, objectId: objectId ?? '' }, exp);
  if (rest.length > 0 || !isSameSignature(expected.issued, issued)) return 'foreign';
  if (objectId === undefined) return 'issued';
  if (!isSameSignature(expected.opens, opens)) return 'foreign';
  return exp * 1_000 < Date.now() ? 'issued' : 'valid';
}
