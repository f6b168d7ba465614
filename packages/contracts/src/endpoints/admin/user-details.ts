import * as z from 'zod';
import {
  adminRejectedImageSchema,
  adminUserEventSchema,
  adminUserHistoryQuerySchema,
  adminUserJobSchema,
  adminUserJobsQuerySchema,
  adminUserKeySchema,
  adminUserSessionSchema,
  adminUserUsageSchema,
} from '../../schemas/admin/user-details.ts';
import { adminReasonBodySchema, adminUserSchema } from '../../schemas/admin/users.ts';
import { defineAdminEndpoints, idParams } from '../endpoint.ts';

const user = { params: idParams, errors: ['user_not_found'] } as const;

/** Endpoints for administrators to view and manage a single user. */
export const adminUserDetailEndpoints = defineAdminEndpoints({
  adminGetUserUsage: {
    route: 'GET /api/admin/users/:id/usage',
    permission: 'users.read',
    ...user,
    answers: { 200: adminUserUsageSchema },
  },
  adminListUserHistory: {
    route: 'GET /api/admin/users/:id/history',
    permission: 'users.read',
    ...user,
    query: adminUserHistoryQuerySchema,
    answers: { 200: z.array(adminUserEventSchema) },
  },
  adminUnlockUser: {
    route: 'POST /api/admin/users/:id/unlock',
    permission: 'users.manage',
    params: idParams,
    body: adminReasonBodySchema,
    answers: { 200: adminUserSchema },
    errors: ['user_not_found', 'own_account', 'role_above_own'],
  },
  adminListUserJobs: {
    route: 'GET /api/admin/users/:id/jobs',
    permission: 'jobs.read',
    ...user,
    query: adminUserJobsQuerySchema,
    answers: { 200: z.array(adminUserJobSchema) },
  },
  adminListRejectedImages: {
    route: 'GET /api/admin/users/:id/rejected-images',
    permission: 'jobs.read',
    ...user,
    answers: { 200: z.array(adminRejectedImageSchema) },
  },
  adminListUserKeys: {
    route: 'GET /api/admin/users/:id/keys',
    permission: 'keys.manage',
    ...user,
    answers: { 200: z.array(adminUserKeySchema) },
  },
  adminListUserSessions: {
    route: 'GET /api/admin/users/:id/sessions',
    permission: 'users.read',
    ...user,
    answers: { 200: z.array(adminUserSessionSchema) },
  },
  adminEndUserSessions: {
    route: 'DELETE /api/admin/users/:id/sessions',
    permission: 'users.manage',
    params: idParams,
    body: adminReasonBodySchema,
    answers: { 200: adminUserSchema },
    errors: ['user_not_found', 'own_account', 'role_above_own'],
  },
  adminResendVerification: {
    route: 'POST /api/admin/users/:id/verification',
    permission: 'users.manage',
    params: idParams,
    body: adminReasonBodySchema,
    answers: { 200: adminUserSchema },
    errors: ['user_not_found', 'role_above_own', 'user_changed', 'rate_limited'],
  },
});
