import * as z from 'zod';
import { roles } from '../../policy/admin/permissions.ts';
import { limits } from '../../policy/limits.ts';
import { allKeyKinds } from '../../policy/sandbox.ts';
import { keyNameSchema, keyScopes, serviceScopes } from '../api-keys.ts';
import { lineSchema } from '../user.ts';
import { makeExportFields, makeFilterFields, tablePageFields } from './table.ts';

const time = z.iso.datetime();
const person = z.object({ id: z.uuid(), name: z.string().nullable(), email: z.string() });

export const adminApiKeySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** First and last characters of the secret. */
  keyPreview: z.string(),
  kind: z.enum(allKeyKinds),
  scopes: z.array(z.enum([...keyScopes, ...serviceScopes])),
  isActive: z.boolean(),
  isExpired: z.boolean(),
  createdAt: time,
  expiresAt: time.nullable(),
  lastUsed: time.nullable(),
  usageCount: z.int(),
  /** Owner of the key. Null for a service key. */
  owner: person.nullable(),
  /** Creator of a service key. Null for an account's key, or if the creator's account was deleted. */
  creator: person.nullable(),
});
export type AdminApiKey = z.infer<typeof adminApiKeySchema>;

const keysFilter = {
  /** Matches part of the key's name or preview, or of its owner's email address, username, or name. */
  search: lineSchema.max(limits.emailLength).optional(),
  ...makeFilterFields('apiKeys'),
};
export const adminApiKeysQuerySchema = z.object({ ...keysFilter, ...tablePageFields });
export const adminApiKeysExportSchema = z.object({ ...keysFilter, ...makeExportFields('apiKeys') });

export const newServiceKeySchema = z.strictObject({ name: keyNameSchema });
/** The only response that contains the secret. */
export const createdServiceKeySchema = adminApiKeySchema.extend({ key: z.string() });

export const staffMemberSchema = z.object({
  id: z.uuid(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  email: z.string(),
  role: z.enum(roles),
  suspendedAt: z.iso.datetime().nullable(),
  lastSeenAt: z.iso.datetime().nullable(),
  twoFactorEnabled: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type StaffMember = z.infer<typeof staffMemberSchema>;

const staffFilter = {
  /** Matches part of the email address, username, or name. */
  search: lineSchema.max(limits.emailLength).optional(),
  ...makeFilterFields('staff'),
};
export const staffQuerySchema = z.object({ ...staffFilter, ...tablePageFields });
export const staffExportSchema = z.object({ ...staffFilter, ...makeExportFields('staff') });

/** Recommended limits for security settings. Settings beyond them get a recommendation. */
export const recommendedSettings = {
  minPasswordLength: 12,
  /** Longest recommended idle time of sessions, in minutes. */
  sessionTimeout: 1_440,
  maxLoginAttempts: 10,
} as const;

/** Recommendation codes, in display order. */
export const recommendationCodes = [
  'two_factor_optional',
  'staff_without_two_factor',
  'single_owner',
  'rate_limits_off',
  'short_passwords',
  'many_login_attempts',
  'long_sessions',
  'insecure_origins',
  'unattended_service_keys',
  'unused_keys',
] as const;
export type RecommendationCode = (typeof recommendationCodes)[number];

/** A security recommendation. `value`: how many items are affected, or the current value of the setting. */
export const recommendationSchema = z.object({ code: z.enum(recommendationCodes), value: z.int() });
export type Recommendation = z.infer<typeof recommendationSchema>;
