import { assignedPoolSchema, assignPoolBodySchema, poolBodySchema, poolsSchema } from '../schemas/admin-pools.ts';
import { defineAdminEndpoints, idParams } from './endpoint.ts';

const pools = { permission: 'jobs.operate', params: idParams, answers: { 200: poolsSchema } } as const;
const account = { params: idParams, answers: { 200: assignedPoolSchema } } as const;

/** Pools of reserved workers, identified by their names, and who is assigned to them. */
export const adminPoolEndpoints = defineAdminEndpoints({
  adminListPools: { permission: 'jobs.read', answers: { 200: poolsSchema } },
  adminPutPool: { ...pools, body: poolBodySchema },
  adminDeletePool: pools,
  adminGetUserPool: { permission: 'users.read', ...account, errors: ['user_not_found'] },
  adminSetUserPool: {
    permission: 'users.manage',
    ...account,
    body: assignPoolBodySchema,
    errors: ['user_not_found', 'role_above_own'],
  },
});
