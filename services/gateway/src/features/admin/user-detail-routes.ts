import { errorCodes } from '@uprez/contracts/errors/error-codes';
import type {
  AdminRejectedImage,
  AdminUserJob,
  AdminUserKey,
  AdminUserSession,
} from '@uprez/contracts/schemas/admin/users';
import { keyScopes } from '@uprez/contracts/schemas/api-keys';
import { listSessions, type Session } from '@uprez/domain/accounts/sessions';
import {
  listUserHistory,
  listUserJobs,
  listUserRejectedImages,
  requireUserId,
} from '@uprez/domain/admin/users/list-user-history';
import { readUserUsage } from '@uprez/domain/admin/users/read-user-usage';
import { resendUserVerification, signOutUser, unlockUser } from '@uprez/domain/admin/users/user-access';
import { type ApiKey, listApiKeys } from '@uprez/domain/api-keys/own-api-keys';
import type { Job } from '@uprez/domain/jobs/get-job';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { areEmailsMasked } from '../../http/mask-emails.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { creditsOf } from '../jobs/present-job.ts';
import { applyChange } from './admin-user-routes.ts';

export const adminUserDetailHandlers = (deps: Deps) =>
  defineHandlers({
    adminGetUserUsage: async (request) => readUserUsage(deps, request.params.id),
    adminListUserHistory: async (request, reply) => {
      const { id: userId } = request.params;
      const { role } = await requireUser(deps, request);
      return rowsOfPage(reply, await listUserHistory(deps, { userId, role, ...request.query }));
    },
    adminUnlockUser: (request) => applyChange(deps, request, unlockUser),
    adminListUserJobs: async (request, reply) => {
      const { id: userId } = request.params;
      return rowsOfPage(reply, await listUserJobs(deps, { userId, ...request.query })).map(presentUserJob);
    },
    adminListRejectedImages: async (request) =>
      (await listUserRejectedImages(deps, request.params.id)).map(presentRejectedImage),
    adminListUserKeys: async (request) => {
      const keys = await listApiKeys(deps, await requireUserId(deps, request.params.id));
      return keys.map(presentUserKey);
    },
    adminListUserSessions: async (request) => {
      const sessions = await listSessions(deps, await requireUserId(deps, request.params.id));
      return sessions.map((session) => presentUserSession(session, areEmailsMasked(request)));
    },
    adminEndUserSessions: (request) => applyChange(deps, request, signOutUser),
    adminResendVerification: (request) => applyChange(deps, request, resendUserVerification),
  });

function presentUserJob(job: Job): AdminUserJob {
  const { id, filename, status, surface, plan, errorCode, errorDetail, createdAt, finishedAt } = job;
  const error = errorCode && { code: errorCode, message: errorDetail ?? errorCodes[errorCode].title };
  return {
    ...{ id, filename, status, surface, error },
    engine: plan.engine,
    credits: creditsOf(job),
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

type RejectedImage = Awaited<ReturnType<typeof listUserRejectedImages>>[number];

const presentRejectedImage = ({ id, filename, surface, ...row }: RejectedImage): AdminRejectedImage => ({
  ...{ id, filename, surface },
  error: { code: row.errorCode, message: row.errorDetail },
  createdAt: row.createdAt.toISOString(),
});

const presentUserKey = ({ id, name, kind, isActive, isExpired, usageCount, ...key }: ApiKey): AdminUserKey => ({
  ...{ id, name, kind, isActive, isExpired, usageCount },
  keyPreview: key.preview,
  scopes: keyScopes.filter((scope) => key.scopes.includes(scope)),
  createdAt: key.createdAt.toISOString(),
  lastUsed: key.lastUsedAt?.toISOString() ?? null,
  expiresAt: key.expiresAt?.toISOString() ?? null,
});

const presentUserSession = (session: Session, isMasked: boolean): AdminUserSession => ({
  id: session.id,
  userAgent: session.userAgent,
  address: isMasked ? null : session.address,
  createdAt: session.createdAt.toISOString(),
  lastSeenAt: session.lastSeenAt.toISOString(),
});
