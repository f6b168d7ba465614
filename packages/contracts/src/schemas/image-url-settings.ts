import * as z from 'zod';
import { imageUrlRules } from '../policy/images/image-urls.ts';
import { limits } from '../policy/limits.ts';
import { storedTextSchema } from './stored-text.ts';

/**
 * Matches a host name with at least 2 labels, such as `images.example.com`, or a wildcard for its subdomains, such as
 * `*.example.com`.
 */
const hostPattern = /^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

const hostSchema = storedTextSchema.trim().toLowerCase().max(imageUrlRules.hostLength).regex(hostPattern, {
  error: 'Each host must be a name such as images.example.com or *.example.com, without "https://" or a path.',
});

export const imageUrlChangeSchema = z.strictObject({
  isEnabled: z.boolean(),
  hosts: z
    .array(hostSchema)
    .max(imageUrlRules.hosts)
    .transform((hosts) => [...new Set(hosts)]),
});

/** `overlapHours`: how long URLs signed with the previous secret remain valid, in hours. */
export const imageUrlRotationSchema = z
  .strictObject({ overlapHours: z.number().min(0).max(imageUrlRules.maxOverlapHours).optional() })
  .nullish();

export const newImageUrlSchema = z.strictObject({
  imageUrl: storedTextSchema.trim().min(1).max(limits.urlLength),
  /** Comma-separated `name:value` pairs. */
  options: storedTextSchema.trim().max(imageUrlRules.optionsLength).default(''),
});

const time = z.iso.datetime();
/**
 * `keyId`: null until image URLs are enabled for the first time. `formerUntil`: until when the previous secret remains
 * valid.
 */
export const imageUrlSettingsSchema = z.object({
  isEnabled: z.boolean(),
  keyId: z.string().nullable(),
  hosts: z.array(z.string()),
  rotatedAt: time.nullable(),
  formerUntil: time.nullable(),
});
export type ImageUrlSettings = z.infer<typeof imageUrlSettingsSchema>;

/** `secret`: null except in the response to a request that creates or rotates it. */
export const changedImageUrlSettingsSchema = imageUrlSettingsSchema.extend({ secret: z.string().nullable() });

export const signedImageUrlSchema = z.object({ url: z.string() });
