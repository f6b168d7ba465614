import * as z from 'zod';
import { pageLimitSchema } from '../page.ts';
import { storedTextSchema } from '../stored-text.ts';

const version = z.int().min(0);

/** Adds a `version` to settings in responses: the number of the latest write, or 0 before the first write. */
export const withVersion = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) => schema.extend({ version });

/**
 * Adds an optional `version` to settings in requests: the version that the administrator saw. If the settings have been
 * written since, the request fails with `settings_changed`. If `version` is omitted, the request overwrites any newer
 * settings.
 */
export const withSeenVersion = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) =>
  schema.extend({ version: version.optional() });

/** Any string, because an unknown name gets the same response as a missing version. */
export const settingsNameParams = z.object({ name: z.string() });

export const settingsVersionsQuerySchema = z.object({
  /** Version number. The page starts with the version before this number. */
  cursor: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
  limit: pageLimitSchema,
});

/** For secrets, the values are omitted. */
const changeSchema = z.object({
  field: z.string(),
  secret: z.boolean(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});

/** A write of settings. Version 0 has the values before the first write, and lists no changes. */
export const settingsVersionSchema = z.object({
  version,
  at: z.iso.datetime(),
  /** Null if no administrator wrote the settings, or if the author's account was deleted. */
  author: z.object({ id: z.string(), email: z.string() }).nullable(),
  restoredFrom: version.nullable(),
  changes: z.array(changeSchema),
});
export type SettingsVersionView = z.infer<typeof settingsVersionSchema>;

/**
 * `seen`: the version that the administrator saw as the current one. `smtpPassword`: the password for the restored
 * email settings, needed if their server or user differs from the current settings. Null restores the settings without
 * a password.
 */
export const restoreSettingsBodySchema = z.strictObject({
  version,
  seen: version,
  smtpPassword: storedTextSchema.max(1_000).nullable().optional(),
});
/** Number of the new version, which contains the restored values. */
export const restoredSettingsSchema = z.object({ version });
