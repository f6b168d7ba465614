import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { imageUrlOptions, imageUrlRules, imageUrlSecretPrefix } from '@uprez/contracts/policy/images/image-urls';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { lockUser } from '@uprez/db/queries/accounts/users';
import {
  findImageUrlSettings,
  type ImageUrlSettingsRow,
  insertImageUrlSettings,
  replaceImageUrlSecret,
  updateImageUrlSettings,
} from '@uprez/db/queries/image-urls/image-url-settings';
import type { Actor } from '../actor.ts';
import { requireApiPlan } from '../api-keys/create-api-key.ts';
import type { Needs } from '../context.ts';
import { encodeSource, type ImagePath, keyIdBytes, parseImageUrl } from './parse-image-url.ts';

/** `secret`: only set when the secret was just created, because it is shown once. Otherwise null. */
export type ChangedImageUrls = { settings: ImageUrlSettingsRow; secret: string | null };
type ByActor = { actor: Actor };

/** Returns an account's image URL settings. Undefined until they are first saved. */
export const getImageUrls = (ctx: Needs<'db'>, { actor }: ByActor): Promise<ImageUrlSettingsRow | undefined> =>
  findImageUrlSettings(ctx.db, actor.accountId);

/**
 * Updates the image URL settings. The first save creates a secret. When image URLs are enabled, throws `plan_feature`
 * or `email_unverified`.
 */
export function updateImageUrls(
  ctx: Needs<'db' | 'vault'>,
  { actor: { accountId }, ...changes }: ByActor & { isEnabled: boolean; hosts: string[] },
): Promise<ChangedImageUrls> {
  return ctx.db.transaction().execute(async (tx) => {
    const owner = await lockUser(tx, accountId);
    if (!owner) throw new AppError('not_signed_in');
    if (changes.isEnabled) {
      requireApiPlan(planOf(owner), 'live');
      if (!owner.emailVerified) throw new AppError('email_unverified');
    }
    const settings = await updateImageUrlSettings(tx, accountId, changes);
    if (settings) return { settings, secret: null };
    const secret = makeImageUrlSecret();
    const keyId = randomBytes(keyIdBytes).toString('hex');
    const row = { accountId, keyId, secret: ctx.vault.seal(secret, imageUrlSecretPurpose), ...changes };
    return { settings: await insertImageUrlSettings(tx, row), secret };
  });
}

/**
 * Replaces the secret. The former secret stays valid for `overlapHours` hours. Throws `plan_feature` or
 * `image_urls_disabled`.
 */
export async function rotateImageUrlSecret(
  ctx: Needs<'db' | 'vault'>,
  { actor, overlapHours = imageUrlRules.overlapHours }: ByActor & { overlapHours?: number | undefined },
): Promise<ChangedImageUrls> {
  requireApiPlan(actor.plan, 'live');
  const secret = makeImageUrlSecret();
  const settings = await replaceImageUrlSecret(ctx.db, actor.accountId, {
    secret: ctx.vault.seal(secret, imageUrlSecretPurpose),
    overlapS: overlapHours * 3_600,
  });
  if (!settings) throw new AppError('image_urls_disabled');
  return { settings, secret };
}

/**
 * Signs an image URL and returns its path. Throws `image_urls_disabled`, `source_not_allowed`, and errors from the
 * options and the original's URL.
 */
export async function signImageUrl(
  ctx: Needs<'db' | 'vault'>,
  { actor, imageUrl, options }: ByActor & { imageUrl: string; options: string },
): Promise<string> {
  const settings = await findImageUrlSettings(ctx.db, actor.accountId);
  if (!settings?.isEnabled) throw new AppError('image_urls_disabled');
  const own = `${imageUrlOptions.key}:${settings.keyId}`;
  const path = { options: options ? `${own},${options}` : own, source: encodeSource(imageUrl) };
  requireAllowedHost(settings.hosts, parseImageUrl(path, '').source);
  const signature = signImagePath(ctx.vault.unseal(settings.secret, imageUrlSecretPurpose), path);
  return [imageUrlRules.path, signature, path.options, path.source].join('/');
}

/** Throws `source_not_allowed` if the URL's host isn't on the list. `*.example.com` matches all subdomains. */
export function requireAllowedHost(hosts: readonly string[], { hostname }: URL): void {
  const isAllowed = hosts.some((host) =>
    host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host,
  );
  if (!isAllowed) throw new AppError('source_not_allowed');
}

/** Purpose that sealed secrets are bound to, so they can't be unsealed for anything else. */
export const imageUrlSecretPurpose = 'image url secret';

const makeImageUrlSecret = (): string => imageUrlSecretPrefix + randomBytes(32).toString('base64url');

/** Returns the signature of an image URL's path: HMAC-SHA256 of `/{processing}/{source}`, as base64url. */
export const signImagePath = (secret: string, { options, source }: Omit<ImagePath, 'signature'>): string =>
  createHmac('sha256', secret).update(`/${options}/${source}`).digest('base64url');

/** Whether the path was signed with one of the secrets. Compares signatures in constant time. */
export function isSignedBy(secrets: readonly string[], { signature, ...path }: ImagePath): boolean {
  const given = Buffer.from(signature);
  return secrets.some((secret) => {
    const expected = Buffer.from(signImagePath(secret, path));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}
