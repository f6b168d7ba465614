import * as z from 'zod';
import { pageLimitSchema } from '../page.ts';
import { storedTextSchema } from '../stored-text.ts';

const version = z.int().min(0);

/** Settings in responses: with the number of their last write, 0 before the first one. */
export const versioned = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) => schema.extend({ version });

/**
 * Settings in requests: with the version that the administrator saw. If another one was written since, the response is
 * `settings_changed`. Without it, the last write wins.
 */
export const withSeenVersion = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) =>
  schema.extend({ version: version.optional() });

/** Any text, because an unknown name gets the response of a missing one. */
export const settingsNameParams = z.object({ name: z.string() });

export const settingsVersionsQuerySchema = z.object({
  /** The number of a version: the page begins with the one before it. */
  cursor: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
  limit: pageLimitSchema,
});

/** A field as it was and as it is. Of secrets, only the name. */
const changeSchema = z.object({
  field: z.string(),
  secret: z.boolean(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});

/** A write of settings. Version 0 are the values before the first one, and lists no changes. */
export const settingsVersionSchema = z.object({
  version,
  at: z.iso.datetime(),
  /** Null: nobody, or a deleted account. */
  author: z.object({ id: z.string(), email: z.string() }).nullable(),
  /** The version that was restored by this one. */
  restoredFrom: version.nullable(),
  changes: z.array(changeSchema),
});
export type SettingsVersionView = z.infer<typeof settingsVersionSchema>;

/**
 * `seen`: the current version that the administrator saw. `smtpPassword`: of email settings whose server or user differs from
 * the current one. Null restores them without a password.
 */
export const restoreSettingsBodySchema = z.strictObject({
  version,
  seen: version,
  smtpPassword: storedTextSchema.max(1_000).nullable().optional(),
});
/** The version that the restored values have now. */
export const restoredSettingsSchema = z.object({ version });
