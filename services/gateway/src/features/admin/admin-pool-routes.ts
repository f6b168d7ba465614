import { assignPool, getAssignment } from '@uprez/domain/admin/pools/assign-pool';
import { deletePool, putPool } from '@uprez/domain/admin/pools/change-pool';
import { readPools } from '@uprez/domain/admin/pools/list-pools';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';

/** Handlers for pools of reserved workers, and for their assignment to users. */
export const adminPoolHandlers = (deps: Deps) =>
  defineHandlers({
    adminListPools: async () => readPools(deps),
    adminPutPool: async (request) => {
      await putPool(deps, { admin: await requireAdmin(deps, request), name: request.params.id, ...request.body });
      return readPools(deps);
    },
    adminDeletePool: async (request) => {
      await deletePool(deps, { admin: await requireAdmin(deps, request), name: request.params.id });
      return readPools(deps);
    },
    adminGetUserPool: async (request) => getAssignment(deps, request.params.id),
    adminSetUserPool: async (request) =>
      assignPool(deps, { admin: await requireAdmin(deps, request), userId: request.params.id, ...request.body }),
  });
