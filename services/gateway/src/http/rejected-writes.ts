import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { errorCodeHeader } from '@uprez/contracts/errors/problem';
import { auditRejected } from '@uprez/domain/admin/audit/audit-requests';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { routeOf } from './contract.ts';
import { describeRejected, hasRejectedAction } from './rejected-actions.ts';

/** `viewedId`: the account that the administrator views. */
type Administrator = { actorId: string; viewedId?: string };

const administrators = new WeakMap<FastifyRequest, Administrator>();

/** Remembers which administrator makes a request. Writes that are rejected, and exports, get a row in the audit log. */
export const rememberAdministrator = (request: FastifyRequest, administrator: Administrator): void =>
  void administrators.set(request, administrator);

/** The administrator who makes a request; undefined for others. */
export const administratorOf = (request: FastifyRequest): Administrator | undefined => administrators.get(request);

const rules: readonly string[] = ['grant_limit', 'refund_too_large'] satisfies ErrorCode[];
/** The web app asks for the password or a code, for the text to keep, or whether to send it, and repeats the request. */
const prompts: readonly string[] = ['step_up_required', 'edit_conflict', 'ticket_answered'] satisfies ErrorCode[];
const statuses: readonly number[] = [403, 409, 410];

/** Whether an error says that a role or a rule forbids a write, unlike a request that is malformed. */
const isRejection = (code: string): code is ErrorCode =>
  Object.hasOwn(errorCodes, code) &&
  !prompts.includes(code) &&
  (rules.includes(code) || statuses.includes(errorCodes[code as ErrorCode].status));

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

/**
 * Adds rows to the audit log for writes of administrators that are rejected. They follow the response, because the
 * transaction of the write is rolled back, and an error here must not change the response.
 */
export function registerRejectedWrites(app: FastifyInstance, { db, log }: Pick<Deps, 'db' | 'log'>): void {
  const open = new Set<Promise<void>>();
  app.addHook('onResponse', async (request, reply) => {
    const administrator = administrators.get(request);
    const code = reply.getHeader(errorCodeHeader);
    const route = routeOf(request);
    if (!administrator || !route || isRead(request) || typeof code !== 'string' || !isRejection(code)) return;
    const { actorId, viewedId } = administrator;
    const from = { actorId, address: request.ip, requestId: request.id };
    const described = describeRejected(route, request);
    // What users change about their own account has no subject of its own.
    const subject = viewedId && !hasRejectedAction(route.name) ? `user:${viewedId}` : described.subject;
    const writing = auditRejected({ db }, { ...from, ...described, subject, rejected: code })
      .catch((error: unknown) => log.error({ err: error, reqId: request.id, code }, 'audit of a rejected write failed'))
      .finally(() => open.delete(writing));
    open.add(writing);
  });
  app.addHook('onClose', async () => {
    await Promise.all(open);
  });
}
