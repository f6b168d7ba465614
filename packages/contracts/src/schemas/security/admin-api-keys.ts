import * as z from 'zod';
import { limits } from '../../policy/limits.ts';
import { anyKeyKinds } from '../../policy/sandbox.ts';
import { exportFields, filterFields, tablePageFields } from '../admin/table.ts';
import { keyNameSchema, keyScopes, serviceScopes } from '../api-keys.ts';
import { lineSchema } from '../user.ts';

const time = z.iso.datetime();
const person = z.object({ id: z.uuid(), name: z.string().nullable(), email: z.string() });

/** An account's API key or a service key, for administrators. */
export const adminApiKeySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** First and last characters of the secret. */
  keyPreview: z.string(),
  kind: z.enum(anyKeyKinds),
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
  /** Matches part of the name or the preview of a key, or of the email address, username, or name of its owner. */
  search: lineSchema.max(limits.emailLength).optional(),
  ...filterFields('apiKeys'),
};
export const adminApiKeysQuerySchema = z.object({ ...keysFilter, ...tablePageFields });
export const adminApiKeysExportSchema = z.object({ ...keysFilter, ...exportFields('apiKeys') });

export const newServiceKeySchema = z.strictObject({ name: keyNameSchema });
/** The only response with the secret. */
export const createdServiceKeySchema = adminApiKeySchema.extend({ key: z.string() });
