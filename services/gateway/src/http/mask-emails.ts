import { hasPermission, type Permission, type Role } from '@uprez/contracts/policy/admin/permissions';
import { maskEmail } from '@uprez/contracts/texts/mask-email';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * `texts` masks email addresses in all strings. `fields` masks only the fields that contain a person's email address.
 */
export type MaskScope = 'texts' | 'fields';
const maskScopes = new WeakMap<FastifyRequest, MaskScope>();

/**
 * Permissions for content that the site publishes. Its strings aren't masked, because forms would save the masked email
 * addresses.
 */
const publicContentPermissions: ReadonlySet<Permission> = new Set([
  'content.read',
  'content.manage',
  'media.read',
  'media.manage',
  'settings.read',
  'settings.manage',
]);

/** Sets which email addresses in the response are masked for the administrator who makes a request. */
export function decideMasking(request: FastifyRequest, role: Role, permission: Permission): void {
  if (!hasPermission(role, 'users.emails'))
    maskScopes.set(request, publicContentPermissions.has(permission) ? 'fields' : 'texts');
}

/**
 * Whether the response to a request masks email addresses. If it does, searches must not match email addresses, because
 * a match would reveal them.
 */
export const areEmailsMasked = (request: FastifyRequest): boolean => maskScopes.has(request);

/** Returns the body of a response. Masks the email addresses that the administrator isn't allowed to read. */
export function maskFor<T>(request: FastifyRequest, value: T): T {
  const mask = maskScopes.get(request);
  return mask ? maskEmails(value, mask) : value;
}

/**
 * Masks all JSON responses to requests that `decideMasking` marked. Uses a hook, because new endpoints could otherwise
 * omit the masking.
 */
export function registerEmailMask(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, _reply, payload) => maskFor(request, payload));
}

/**
 * Fields that contain a person's email address. They are masked in any format. A username can be an email address, too.
 */
const fields: ReadonlySet<string> = new Set(['email', 'username']);
/**
 * Matches a word, including the rest of an email address if the word begins one. Deliberately broad, because masking
 * too much does no harm. Also matches words that aren't part of an address: an expression for addresses alone would
 * scan each word once per character.
 */
const wordPattern = /[^\s@<>()[\]{},;:"'`|]+(@[^\s@<>()[\]{},;:"'`|]+\.[^\s@<>()[\]{},;:"'`|.]+)?/gu;

const maskText = (text: string): string =>
  text.replace(wordPattern, (found, domain: string | undefined) => (domain === undefined ? found : maskEmail(found)));

export function maskEmails<T>(value: T, mask: MaskScope): T {
  if (typeof value === 'string') return (mask === 'texts' ? maskText(value) : value) as T;
  if (Array.isArray(value)) return value.map((part) => maskEmails(part, mask)) as T;
  // Dates have no fields to mask.
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    fields.has(name) && typeof part === 'string' ? maskEmail(part) : maskEmails(part, mask),
  ]);
  return Object.fromEntries(entries) as T;
}
