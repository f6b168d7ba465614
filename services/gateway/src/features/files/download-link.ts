import { createHmac, timingSafeEqual } from 'node:crypto';
import { limits } from '@uprez/contracts/policy/limits';

export type LinkTarget = { jobId: string; objectId: string };
/** `base`: `/api` or `/v1`. */
export type LinkPath = { name: string; base: string };

const sign = (secret: string, { jobId, objectId }: LinkTarget, exp: number) =>
  createHmac('sha256', secret).update(`${jobId}.${objectId}.${exp}`).digest('base64url');

/**
 * A root-relative link under `base` that anyone may use for 14 to 15 minutes. `exp` falls on a whole minute, so that reading a job
 * twice gives one link and a browser keeps the image it has.
 */
export function makeDownloadLink(secret: string, target: LinkTarget, { name, base }: LinkPath): string {
  const minutes = Math.floor(Date.now() / 60_000) + limits.downloadLinkMinutes;
  const exp = minutes * 60;
  return `${base}/files/${target.jobId}/${encodeURIComponent(name)}?exp=${exp}&sig=${sign(secret, target, exp)}`;
}

/** Whether a link's signature is ours and its time has not come. */
export function checkDownloadLink(secret: string, target: LinkTarget, link: { exp: string; sig: string }): boolean {
  const exp = /^\d{1,12}$/.test(link.exp) ? Number(link.exp) : 0;
  if (exp * 1_000 < Date.now()) return false;
  const wanted = Buffer.from(sign(secret, target, exp));
  const given = Buffer.from(link.sig);
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}
