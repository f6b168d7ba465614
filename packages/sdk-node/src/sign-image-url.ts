import { createHmac } from 'node:crypto';
import { type ImageUrlKey, readImageUrlKey } from './config.ts';
import type { RecipeOptions } from './generated/types.ts';

/** The URL of the original and the API's processing options. */
export type ImageUrlOptions = Omit<RecipeOptions, 'retention'> & {
  /** `https` URL of the original, on a host that you have allowed. */
  url: string;
  /** Time when the URL expires. Default: never. */
  expiresAt?: Date;
};

/**
 * Returns a signed URL of a processed image, for the `src` of an `<img>`. Makes no request. Keep the secret on your server.
 * Throws UprezError `not_configured`.
 */
export function signImageUrl({ url, expiresAt, ...recipe }: ImageUrlOptions, key: ImageUrlKey = {}): string {
  const { keyId, secret, baseUrl } = readImageUrlKey(key);
  const given = Object.entries(recipe).filter(([, value]) => value !== undefined);
  const own: [string, string | number][] = expiresAt ? [['exp', Math.floor(expiresAt.getTime() / 1_000)]] : [];
  const options = [['k', keyId], ...given, ...own]
    // Remove the `#` of a color, because it would end the path.
    .map(([name, value]) => `${name}:${String(value).replace(/^#/, '')}`)
    .join(',');
  const path = `/${options}/${Buffer.from(url).toString('base64url')}`;
  const signature = createHmac('sha256', secret).update(path).digest('base64url');
  return `${baseUrl}/v1/img/${signature}${path}`;
}
