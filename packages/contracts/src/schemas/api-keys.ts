import * as z from 'zod';
import { limits } from '../policy/limits.ts';
import { meters } from '../policy/meters.ts';
import { tiers } from '../policy/plans.ts';
import { filledSchema } from './user.ts';

/** `process`: process images. `read`: read jobs, batches, and the account. `webhooks`: manage webhooks. */
export const keyScopes = ['process', 'read', 'webhooks'] as const;
export type KeyScope = (typeof keyScopes)[number];
export const keyKinds = ['live', 'test'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Prefixes of keys, followed by 30 random characters and a checksum of 6. */
export const keyPrefixes = { live: 'upz_live_', test: 'upz_test_' } as const satisfies Record<KeyKind, string>;

const required = 'Name is required';
const nameSchema = z.string({ error: required }).pipe(
  filledSchema(required).max(limits.nameLength, {
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

/** Null: the limits of the plan apply. An empty list of addresses allows all. */
const keyLimits = {
  expiresAt: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .nullable()
    .optional(),
  monthlyCap: z.int().min(1).max(limits.apiKeyCap).nullable().optional(),
  callsPerMinute: z.int().min(1).max(limits.apiKeyCallsPerMinute).nullable().optional(),
  addresses: z.array(networkSchema).max(limits.apiKeyAddresses).optional(),
};
export const newApiKeySchema = z.strictObject({
  name: nameSchema,
  kind: z.enum(keyKinds).default('live'),
  scopes: z
    .array(z.enum(keyScopes))
    .min(1)
    .transform((scopes) => keyScopes.filter((scope) => scopes.includes(scope)))
    .default(['process', 'read']),
  ...keyLimits,
});
export const apiKeyChangeSchema = z.strictObject({ name: nameSchema.optional(), ...keyLimits });
export const apiKeyToggleSchema = z.strictObject({ isActive: z.boolean() });
/** Hours for which the previous key stays valid. */
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
  /** Units per calendar month (UTC), and units used this month. */
  monthlyCap: z.int().nullable(),
  unitsThisMonth: z.int(),
  callsPerMinute: z.int().nullable(),
  addresses: z.array(z.string()),
  /** ID of the key that replaced it. */
  replacedBy: z.uuid().nullable(),
});
export type ApiKeyView = z.infer<typeof apiKeySchema>;

/** The only response with the secret. */
export const createdApiKeySchema = apiKeySchema.extend({ key: z.string() });

export const apiKeyDaySchema = z.object({ day: z.iso.date(), calls: z.int(), errors: z.int(), units: z.int() });

/** Response of `GET /v1/account`. */
export const v1AccountSchema = z.object({
  plan: z
    .object({ key: z.enum(tiers).describe('ID of the plan.'), name: z.string().describe('Name of the plan.') })
    .describe('Your plan.'),
  calls_per_minute: z.int().describe('Maximum number of processing requests per minute.'),
  hard_stop: z.boolean().describe('Whether processing stops when no credits are left.'),
  quota: z.array(
    z.object({
      meter: z.enum(meters).describe('Quota: `ai`, `standard`, or `shared` for both.'),
      included: z.int().describe('Credits included in your plan.'),
      granted: z.int().describe('Credits granted in addition to the plan.'),
      used: z.int().describe('Credits used in this period.'),
      left: z.int().describe('Credits left.'),
      resets_at: time.describe('Time at which the quota resets.'),
    }),
  ),
  key: z.object({
    id: z.uuid().describe('ID of the API key.'),
    name: z.string().describe('Name of the API key.'),
    kind: z.enum(keyKinds).describe('`test` keys use the sandbox.'),
    scopes: z.array(z.enum(keyScopes)).describe('Permissions of the API key.'),
    expires_at: time.nullable().describe('Time at which the API key expires.'),
    monthly_cap: z.int().nullable().describe('Monthly credit limit of the API key.'),
    units_this_month: z.int().describe('Credits that the API key used this month.'),
  }),
});
export type V1Account = z.infer<typeof v1AccountSchema>;
