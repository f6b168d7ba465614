import { hasPermission, type Permission, type Role } from '@uprez/contracts/policy/admin/permissions';
import { maskEmail } from '@uprez/contracts/texts/mask-email';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** `texts` masks email addresses in all strings, `fields` only those in the fields of a person. */
export type MaskScope = 'texts' | 'fields';
const maskScopes = new WeakMap<FastifyRequest, MaskScope>();

/** Permissions for content that the site publishes. The forms that show it would write masked email addresses back. */
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

/** Whether the response to a request masks email addresses. If it does, searches must not match email addresses. */
export const areEmailsMasked = (request: FastifyRequest): boolean => maskScopes.has(request);

/** Returns the body of a response, with the email addresses masked that the administrator isn't allowed to read. */
export function maskFor<T>(request: FastifyRequest, value: T): T {
  const mask = maskScopes.get(request);
  return mask ? maskEmails(value, mask) : value;
}

/** Masks all JSON responses to requests marked by `decideMasking`, so that new endpoints can't omit it. */
export function registerEmailMask(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, _reply, payload) => maskFor(request, payload));
}

/** Fields with the email address of a person, whatever its format. A username can be an email address. */
const fields: ReadonlySet<string> = new Set(['email', 'username']);
/**
 * Matches a word, including the rest of an email address if the word begins one. Deliberately broad, because masking
 * too much does no harm. It also matches other words, because an expression for addresses alone would scan a word once
 * for each of its characters.
 */
const wordPattern = /[^\s@<>()[\]{},;:"'`|]+(@[^\s@<>()[\]{},;:"'`|]+\.[^\s@<>()[\]{},;:"'`|.]+)?/gu;

const maskText = (text: string): string =>
  text.replace(wordPattern, (found, domain: string | undefined) => (domain === undefined ? found : maskEmail(found)));

/** Masks the email addresses in a value, including nested objects, lists, and strings. */
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
