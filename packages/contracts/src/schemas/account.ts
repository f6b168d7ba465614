import * as z from 'zod';
import {
  codeSchema,
  currentPasswordSchema,
  emailSchema,
  nameSchema,
  newPasswordSchema,
  totpCodeSchema,
} from './user.ts';

export const messageSchema = z.object({ message: z.string() });

/** Reauthentication: the password, and a code if two-factor authentication is enabled. */
const proof = { password: currentPasswordSchema, code: codeSchema.optional() };
/** Any string, because a malformed token gets the same error as an expired one. */
const token = z.string();

/** Strict, because users must not be able to change their role, plan, or credits. */
export const profileBodySchema = z.strictObject({
  firstName: nameSchema.nullable(),
  lastName: nameSchema.nullable(),
  quotaEmails: z.boolean().optional(),
  batchEmails: z.boolean().optional(),
});

/** `version`: version of the terms that the user has read. */
export const acceptTermsBodySchema = z.strictObject({ version: z.int().min(1).max(2_147_483_647) });

export const passwordBodySchema = z.strictObject({
  currentPassword: currentPasswordSchema,
  newPassword: newPasswordSchema,
  code: codeSchema.optional(),
});
export const emailBodySchema = z.strictObject({ email: emailSchema, ...proof });
export const proofBodySchema = z.strictObject(proof);

/** Either the password or, with two-factor authentication, a code. */
export const stepUpBodySchema = z
  .strictObject({ password: currentPasswordSchema.optional(), code: codeSchema.optional() })
  .refine(({ password, code }) => (password === undefined) !== (code === undefined), {
    path: ['password'],
    error: 'Enter your password, or a code.',
  });

export const forgotPasswordBodySchema = z.object({ email: emailSchema });
export const resetBodySchema = z.object({ token, newPassword: newPasswordSchema });
export const tokenBodySchema = z.object({ token });

export const sessionSchema = z.object({
  id: z.uuid(),
  isCurrent: z.boolean(),
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
});
export type SessionView = z.infer<typeof sessionSchema>;

/** A period during which support viewed the web app as the user. */
export const accountViewSchema = z.object({
  id: z.uuid(),
  startedAt: z.iso.datetime(),
  /** When the view ended, or the latest time at which it will end. */
  endsAt: z.iso.datetime(),
});
export type AccountView = z.infer<typeof accountViewSchema>;

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
  /** Secret in Base32, for manual entry. */
  secret: z.string(),
  /** The `otpauth:` URI, and a QR code of it. */
  uri: z.string(),
  qrCode: z.string(),
});
export const enableTwoFactorBodySchema = z.strictObject({ code: totpCodeSchema });
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });
export const recoveryCodeCountSchema = z.object({ left: z.int() });
export type RecoveryCodeCount = z.infer<typeof recoveryCodeCountSchema>;
