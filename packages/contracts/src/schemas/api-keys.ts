import * as z from 'zod';
import { limits } from '../policy/limits.ts';
import { type KeyKind, keyKinds } from '../policy/sandbox.ts';
import { keyOriginsSchema } from './origin.ts';
import { timeSchema } from './time.ts';
import { requiredLineSchema, toNameSchema } from './user.ts';

/** `process`: process images. `read`: read jobs, batches, and the account. `webhooks`: manage webhooks. */
export const keyScopes = ['process', 'read', 'webhooks'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Prefixes of keys. The prefix is followed by 30 random characters and a 6-character checksum. */
export const keyPrefixes = { live: 'upz_live_', test: 'upz_test_' } as const satisfies Record<KeyKind, string>;

/** Scopes of service keys. `admin:read`: read everything that administrators with the role `viewer` can read. */
export const serviceScopes = ['admin:read'] as const;
export type ServiceScope = (typeof serviceScopes)[number];
export const servicePrefix = 'upz_service_';

const nameRequiredText = 'Name is required';
export const keyNameSchema = z.string({ error: nameRequiredText }).pipe(
  toNameSchema(requiredLineSchema(nameRequiredText)).max(limits.nameLength, {
    error: `Name can't be longer than ${limits.nameLength} characters.`,
  }),
);
const networkSchema = z
  .string()
  .trim()
  .pipe(
    z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
      error: 'Each entry must be an IP address or a CIDR range, such as 203.0.113.7 or 203.0.113.0/24.',
    }),
  );

/**
 * Limits of a key. If a limit is null, the plan's limit applies. An empty list of addresses allows all IP addresses. An
 * empty list of origins allows the origins in the security settings.
 */
const keyLimitFields = {
  expiresAt: timeSchema
    .transform((text) => new Date(text))
    .nullable()
    .optional(),
  monthlyCap: z.int().min(1).max(limits.apiKeyCap).nullable().optional(),
  callsPerMinute: z.int().min(1).max(limits.apiKeyCallsPerMinute).nullable().optional(),
  addresses: z.array(networkSchema).max(limits.apiKeyAddresses).optional(),
  allowedOrigins: keyOriginsSchema.optional(),
};
export const newApiKeySchema = z.strictObject({
  name: keyNameSchema,
  kind: z.enum(keyKinds).default('live'),
  scopes: z
    .array(z.enum(keyScopes))
    .min(1)
    .transform((scopes) => keyScopes.filter((scope) => scopes.includes(scope)))
    .default(['process', 'read']),
  ...keyLimitFields,
});
export const apiKeyChangeSchema = z.strictObject({ name: keyNameSchema.optional(), ...keyLimitFields });
export const apiKeyToggleSchema = z.strictObject({ isActive: z.boolean() });
/** `overlapHours`: how long the previous key remains valid, in hours. */
export const apiKeyRotationSchema = z
  .strictObject({ overlapHours: z.number().min(0).max(limits.apiKeyMaxOverlapHours).optional() })
  .nullish();

const time = z.iso.datetime();
export const apiKeySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** First and last characters of the secret. */
  keyPreview: z.string(),
  kind: z.enum(keyKinds),
  scopes: z.array(z.enum(keyScopes)),
  isActive: z.boolean(),
  createdAt: time,
  lastUsed: time.nullable(),
  lastAddress: z.string().nullable(),
  usageCount: z.int(),
  expiresAt: time.nullable(),
  isExpired: z.boolean(),
  /** Maximum units per calendar month (UTC), and units used this month. */
  monthlyCap: z.int().nullable(),
  unitsThisMonth: z.int(),
  callsPerMinute: z.int().nullable(),
  addresses: z.array(z.string()),
  allowedOrigins: z.array(z.string()),
  replacedBy: z.uuid().nullable(),
});
export type ApiKeyView = z.infer<typeof apiKeySchema>;

/** The only response that contains the secret. */
export const createdApiKeySchema = apiKeySchema.extend({ key: z.string() });

export const apiKeyDaySchema = z.object({ day: z.iso.date(), calls: z.int(), errors: z.int(), units: z.int() });
