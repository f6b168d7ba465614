import { createHmac, timingSafeEqual } from 'node:crypto';
import { limits } from '@uprez/contracts/policy/limits';

export type LinkTarget = { jobId: string; objectId: string };
/** `base`: `/api` or `/v1`. */
export type LinkPath = { name: string; base: string };

const sign = (secret: string, parts: readonly (string | number)[]) =>
  createHmac('sha256', secret).update(parts.join('.')).digest('base64url');

/** Proof that we issued a link to a job's result, and proof that the link is to this very result. */
const signatures = (secret: string, { jobId, objectId }: LinkTarget, exp: number) => ({
  issued: sign(secret, [jobId, exp]).slice(0, 22),
  opens: sign(secret, [jobId, objectId, exp]),
});

const isSame = (expected: string, given: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/**
 * A root-relative link under `base` that anyone may use for 14 to 15 minutes. `exp` falls on a whole minute, so that reading a job
 * twice gives one link and a browser keeps the image it has.
 */
export function makeDownloadLink(secret: string, target: LinkTarget, { name, base }: LinkPath): string {
  const minutes = Math.floor(Date.now() / 60_000) + limits.downloadLinkMinutes;
  const exp = minutes * 60;
  const { issued, opens } = signatures(secret, target, exp);
  return `${base}/files/${target.jobId}/${encodeURIComponent(name)}?exp=${exp}&sig=${issued}.${opens}`;
}

/**
 * `valid`: opens the target now. `issued`: we made this link, but it has expired or its result is gone (`objectId` is
 * undefined once the object's row is deleted). `foreign`: anything else.
 */
export function checkDownloadLink(
  secret: string,
  { jobId, objectId }: { jobId: string; objectId: string | undefined },
  link: { exp: string; sig: string },
): 'valid' | 'issued' | 'foreign' {
  const exp = /^\d{1,12}$/.test(link.exp) ? Number(link.exp) : 0;
  const [issued = '', opens = '', ...rest] = link.sig.split('.');
  const expected = signatures(secret, { jobId, objectId: objectId ?? '' }, exp);
  if (rest.length > 0 || !isSame(expected.issued, issued)) return 'foreign';
  if (objectId === undefined) return 'issued';
  if (!isSame(expected.opens, opens)) return 'foreign';
  return exp * 1_000 < Date.now() ? 'issued' : 'valid';
}
