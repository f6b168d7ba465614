import type { AdminUser } from '@uprez/contracts/schemas/admin/users';
import type { Administrator } from '@uprez/domain/admin/administrator';
import { readAttention, readNotices } from '@uprez/domain/admin/attention';
import { changeRole } from '@uprez/domain/admin/change-role';
import { changeTier } from '@uprez/domain/admin/change-tier';
import { changeSuspension, removeTwoFactor } from '@uprez/domain/admin/change-user';
import { grantUnits } from '@uprez/domain/admin/grant-units';
import { exportUsers, getStats, getUser, type ListedUser, listUsers } from '@uprez/domain/admin/list-users';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireAdmin, requireUser } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { areEmailsMasked } from '../../http/mask-emails.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { presentUserWithCounts } from '../accounts/present-user.ts';
import { userColumns } from './export-columns.ts';
import { presentPages, sendExport } from './send-export.ts';

export const adminUserHandlers = (deps: Deps) =>
  defineHandlers({
    adminStats: async (request) => getStats(deps, (await requireUser(deps, request)).role),
    adminNotices: async () => readNotices(deps),
    adminAttention: async (request) => readAttention(deps, (await requireUser(deps, request)).role),
    adminListUsers: async (request, reply) =>
      rowsOfPage(reply, await listUsers(deps, { ...request.query, byName: areEmailsMasked(request) })).map(
        presentAdminUser,
      ),
    adminExportUsers: async (request, reply) => {
      const pages = presentPages(
        await exportUsers(deps, { ...request.query, byName: areEmailsMasked(request) }),
        presentAdminUser,
      );
      return sendExport(reply, { name: 'users', columns: userColumns, pages, query: request.query });
    },
    adminGetUser: async (request) => presentAdminUser(await getUser(deps, request.params.id)),
    adminUpdateUser: (request) => applyChange(deps, request, changeSuspension),
    adminRemoveTwoFactor: (request) => applyChange(deps, request, removeTwoFactor),
    adminSetRole: (request) => applyChange(deps, request, changeRole),
    adminSetTier: async (request) => {
      const { subscriptionTier: tier, reason, endsAt, expected } = request.body;
      const change = {
        ...{ userId: request.params.id, tier, reason },
        endsAt: endsAt === undefined ? undefined : new Date(endsAt),
        expected: expected && { ...expected, subscriptionEndsAt: toIsoTime(expected.subscriptionEndsAt) },
      };
      return presentAdminUser(await changeTier(deps, { admin: await requireAdmin(deps, request), ...change }));
    },
    adminGrantUnits: async (request, reply) => {
      const options = { ...request.body, userId: request.params.id, expiresAt: new Date(request.body.expiresAt) };
      const grant = await grantUnits(deps, { admin: await requireAdmin(deps, request), ...options });
      const { id, meter, units, unitsLeft, reason, startsAt, expiresAt } = grant;
      const times = { startsAt: startsAt.toISOString(), expiresAt: expiresAt.toISOString() };
      return reply.status(201).send({ id, meter, units, unitsLeft, reason, ...times });
    },
  });

type UserRequest<Body> = FastifyRequest & { params: { id: string }; body: Body };
type Change<Body> = (deps: Deps, change: { admin: Administrator; userId: string } & Body) => Promise<ListedUser>;

/** Changes a user as the body of the request says. Returns the user. */
export async function applyChange<Body>(deps: Deps, request: UserRequest<Body>, change: Change<Body>) {
  const admin = await requireAdmin(deps, request);
  return presentAdminUser(await change(deps, { admin, userId: request.params.id, ...request.body }));
}

const toIsoTime = (text: string | null) => (text === null ? null : new Date(text).toISOString());

/**
 * Presents a user for administrators. Spreads the remaining fields last: otherwise, V8 would allocate a hidden class
 * for each object, and exporting 100,000 users would take ten times as much time and memory.
 */
export const presentAdminUser = (user: ListedUser): AdminUser => ({
  suspendedAt: user.suspendedAt?.toISOString() ?? null,
  suspendedReason: user.suspendedReason,
  lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
  subscriptionEndsAt: user.overrideUntil?.toISOString() ?? null,
  subscriptionReason: user.overrideReason,
  billedTier: user.billedTier,
  billedUntil: user.billedUntil?.toISOString() ?? null,
  ...presentUserWithCounts(user, user),
});
