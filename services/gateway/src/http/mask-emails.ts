import { hasPermission, type Permission, type Role } from '@uprez/contracts/policy/admin/permissions';
import { maskEmail } from '@uprez/contracts/texts/mask-email';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** `texts`: addresses in any text. `fields`: only in the fields of a person. */
export type Mask = 'texts' | 'fields';
const masks = new WeakMap<FastifyRequest, Mask>();

/** Texts and addresses that the site publishes. Masked ones would be written back by the forms that show them. */
const published: ReadonlySet<Permission> = new Set([
  'content.read',
  'content.manage',
  'media.read',
  'media.manage',
  'settings.read',
  'settings.manage',
]);

/** Remembers which email addresses the administrator who makes a request may not read. */
export function decideMasking(request: FastifyRequest, role: Role, permission: Permission): void {
  if (!hasPermission(role, 'users.emails')) masks.set(request, published.has(permission) ? 'fields' : 'texts');
}

/** Whether the response to a request masks email addresses. Searches must not find accounts by them then. */
export const areEmailsMasked = (request: FastifyRequest): boolean => masks.has(request);

/** The body of a response, with the email addresses masked that the administrator may not read. */
export function maskFor<T>(request: FastifyRequest, value: T): T {
  const mask = masks.get(request);
  return mask ? maskEmails(value, mask) : value;
}

/** Masks all JSON responses to requests that `decideMasking` is for, so that new endpoints can't forget it. */
export function registerEmailMask(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, _reply, payload) => maskFor(request, payload));
}

/** Fields with the email address of a person, whatever its form. A username may be one. */
const fields: ReadonlySet<string> = new Set(['email', 'username']);
/**
 * A word of a text, with the rest of an email address if it begins one. Deliberately wide: masking more does no harm. It
 * also matches other words: an expression for addresses alone would read a word once for each of its characters.
 */
const word = /[^\s@<>()[\]{},;:"'`|]+(@[^\s@<>()[\]{},;:"'`|]+\.[^\s@<>()[\]{},;:"'`|.]+)?/gu;

const maskText = (text: string): string =>
  text.replace(word, (found, domain: string | undefined) => (domain === undefined ? found : maskEmail(found)));

/** Masks the email addresses in a value, and in the objects, lists, and texts in it. */
export function maskEmails<T>(value: T, mask: Mask): T {
  if (typeof value === 'string') return (mask === 'texts' ? maskText(value) : value) as T;
  if (Array.isArray(value)) return value.map((part) => maskEmails(part, mask)) as T;
  // Dates and the like have no fields of their own.
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    fields.has(name) && typeof part === 'string' ? maskEmail(part) : maskEmails(part, mask),
  ]);
  return Object.fromEntries(entries) as T;
}
