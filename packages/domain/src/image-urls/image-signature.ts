import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { imageUrlSecretPrefix } from '@uprez/contracts/policy/images/image-urls';
import type { ImagePath } from './parse-image-url.ts';

/** Binds sealed secrets to image URLs. */
export const imageUrlSecretPurpose = 'image url secret';

export const makeImageUrlSecret = (): string => imageUrlSecretPrefix + randomBytes(32).toString('base64url');

/** Signs the path of an image URL: HMAC-SHA256 of `/{processing}/{source}`, as base64url. */
export const signImagePath = (secret: string, { options, source }: Omit<ImagePath, 'signature'>): string =>
  createHmac('sha256', secret).update(`/${options}/${source}`).digest('base64url');

/** Whether one of the secrets signed this path. The time that it takes doesn't depend on the signature. */
export function isSignedBy(secrets: readonly string[], { signature, ...path }: ImagePath): boolean {
  const given = Buffer.from(signature);
  return secrets.some((secret) => {
    const expected = Buffer.from(signImagePath(secret, path));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}
