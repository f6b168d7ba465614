import * as z from 'zod';
import { limits } from '../policy/limits.ts';
import { requiredLineSchema, toNameSchema } from './user.ts';

/** Options for the browser's WebAuthn calls, as created by `@simplewebauthn/server`. */
export const passkeyOptionsSchema = z.looseObject({ challenge: z.string() });

/** Fields that the browser sends both at registration and at sign-in. Binary values are base64url-encoded. */
const credential = {
  id: z.string().min(1),
  rawId: z.string(),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  clientExtensionResults: z.unknown(),
};
export const newPasskeyResponseSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: z.array(z.string().max(limits.nameLength)).max(10).optional(),
  }),
});
export type NewPasskeyResponse = z.output<typeof newPasskeyResponseSchema>;

export const passkeyResponseSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: z.string(),
    authenticatorData: z.string(),
    signature: z.string(),
    userHandle: z.string().optional(),
  }),
});
export type PasskeyResponse = z.output<typeof passkeyResponseSchema>;

export const passkeyNameSchema = toNameSchema(requiredLineSchema('Enter a name.')).max(
  limits.nameLength,
  `Name can't be longer than ${limits.nameLength} characters.`,
);
export const newPasskeyBodySchema = z.strictObject({ name: passkeyNameSchema, response: newPasskeyResponseSchema });
export const renamePasskeyBodySchema = z.strictObject({ name: passkeyNameSchema });
export const passkeySignInBodySchema = z.strictObject({ response: passkeyResponseSchema });

export const passkeySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type PasskeyView = z.infer<typeof passkeySchema>;
