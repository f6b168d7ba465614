import * as z from 'zod';
import { codeSchema, currentPasswordSchema, emailSchema, nameSchema, newPasswordSchema } from './user.ts';

/** What everyone is told, whatever happened behind it. */
export const messageSchema = z.object({ message: z.string() });

/** Proof that it is the owner who asks: the password, and a code where two-factor is on. */
const proof = { password: currentPasswordSchema, code: codeSchema.optional() };
/** Of any shape: one that is none of ours answers like one that has run out. */
const token = z.string();

/** Unknown fields are refused: role, plan and credits are nobody's own to change. */
export const profileBodySchema = z.strictObject({
  firstName: nameSchema.nullable(),
  lastName: nameSchema.nullable(),
});

export const passwordBodySchema = z.strictObject({
  currentPassword: currentPasswordSchema,
  newPassword: newPasswordSchema,
  code: codeSchema.optional(),
});
export const emailBodySchema = z.strictObject({ email: emailSchema, ...proof });
export const proofBodySchema = z.strictObject(proof);

export const forgotBodySchema = z.object({ email: emailSchema });
export const resetBodySchema = z.object({ token, newPassword: newPasswordSchema });
export const tokenBodySchema = z.object({ token });

export const sessionSchema = z.object({
  id: z.uuid(),
  /** The device of this very request. */
  isCurrent: z.boolean(),
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
});
export type SessionView = z.infer<typeof sessionSchema>;

export const exportStatuses = ['waiting', 'running', 'done', 'failed', 'expired'] as const;
export const exportSchema = z.object({
  id: z.uuid(),
  status: z.enum(exportStatuses),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  sizeBytes: z.int().nullable(),
  downloadUrl: z.string().nullable(),
});
export type ExportView = z.infer<typeof exportSchema>;

export const deletionSchema = z.object({ deletesAt: z.iso.datetime() });

export const twoFactorSetupSchema = z.object({
  /** Base32, for typing in. */
  secret: z.string(),
  /** The same as an `otpauth:` address, and as an image of it. */
  uri: z.string(),
  qrCode: z.string(),
});
export const enableTwoFactorBodySchema = z.strictObject({ code: codeSchema });
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });
