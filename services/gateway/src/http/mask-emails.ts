import { hasPermission, type Role } from '@uprez/contracts/policy/permissions';
import { maskEmail } from '@uprez/contracts/texts/mask-email';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const masked = new WeakSet<FastifyRequest>();

/** Remembers whether the role of the administrator who makes a request includes reading email addresses. */
export function decideMasking(request: FastifyRequest, role: Role): void {
  if (!hasPermission(role, 'users.emails')) masked.add(request);
}

/** Whether the response to a request masks email addresses. Searches must not find accounts by them then. */
export const areEmailsMasked = (request: FastifyRequest): boolean => masked.has(request);

/** Masks all JSON responses to requests that `decideMasking` is for, so that new endpoints can't forget it. */
export function registerEmailMask(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, _reply, payload) =>
    areEmailsMasked(request) ? maskEmails(payload) : payload,
  );
}

/** Fields with the email address of a user. A username may be one. */
const fields: ReadonlySet<string> = new Set(['email', 'username']);

/** Masks the email addresses in a value, and in the objects and lists in it. */
export function maskEmails<T>(value: T): T {
  if (Array.isArray(value)) return value.map(maskEmails) as T;
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    fields.has(name) && typeof part === 'string' ? maskEmail(part) : maskEmails(part),
  ]);
  return Object.fromEntries(entries) as T;
}
