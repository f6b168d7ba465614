import * as z from 'zod';
import { plainExportSchema } from '../../schemas/admin/table.ts';
import {
  adminNoticesSchema,
  adminReasonBodySchema,
  adminRejectedImageSchema,
  adminRoleBodySchema,
  adminStatsSchema,
  adminTierBodySchema,
  adminUserBodySchema,
  adminUserEventSchema,
  adminUserHistoryQuerySchema,
  adminUserJobSchema,
  adminUserJobsQuerySchema,
  adminUserKeySchema,
  adminUserSchema,
  adminUserSessionSchema,
  adminUsersExportSchema,
  adminUsersQuerySchema,
  adminUserUsageSchema,
  adminViewBodySchema,
  attentionSchema,
} from '../../schemas/admin/users.ts';
import { grantBodySchema, grantSchema, ledgerEntrySchema, ledgerQuerySchema } from '../../schemas/jobs/metering.ts';
import { startedViewSchema } from '../../schemas/user.ts';
import { bytesSchema, defineAdminEndpoints, idParams } from '../endpoint.ts';

const user = { params: idParams, answers: { 200: adminUserSchema } } as const;

export const adminEndpoints = defineAdminEndpoints({
  adminStats: { route: 'GET /api/admin/stats', permission: 'dashboard.read', answers: { 200: adminStatsSchema } },
  adminNotices: { route: 'GET /api/admin/notices', permission: 'dashboard.read', answers: { 200: adminNoticesSchema } },
  adminAttention: {
    route: 'GET /api/admin/attention',
    permission: 'dashboard.read',
    answers: { 200: attentionSchema },
  },
  adminListUsers: {
    route: 'GET /api/admin/users',
    permission: 'users.read',
    query: adminUsersQuerySchema,
    answers: { 200: z.array(adminUserSchema) },
  },
  adminExportUsers: {
    route: 'GET /api/admin/users/export',
    permission: 'users.read',
    query: adminUsersExportSchema,
    answers: { 200: bytesSchema },
    errors: ['export_too_large'],
  },
  adminGetUser: { route: 'GET /api/admin/users/:id', permission: 'users.read', ...user, errors: ['user_not_found'] },
  adminUpdateUser: {
    route: 'PATCH /api/admin/users/:id',
    permission: 'users.manage',
    ...user,
    body: adminUserBodySchema,
    errors: ['user_not_found', 'own_account', 'role_above_own', 'user_changed'],
  },
  adminSetRole: {
    route: 'POST /api/admin/users/:id/role',
    permission: 'roles.manage',
    stepUp: true,
    ...user,
    body: adminRoleBodySchema,
    errors: ['user_not_found', 'own_account', 'role_above_own', 'role_changed', 'email_unverified'],
  },
  adminSetTier: {
    route: 'POST /api/admin/users/:id/subscription',
    permission: 'users.manage',
    stepUp: true,
    ...user,
    body: adminTierBodySchema,
    errors: ['user_not_found', 'own_account', 'role_above_own', 'user_changed'],
  },
  adminRemoveTwoFactor: {
    route: 'DELETE /api/admin/users/:id/two-factor',
    permission: 'users.manage',
    stepUp: true,
    ...user,
    body: adminReasonBodySchema,
    errors: ['user_not_found', 'own_account', 'role_above_own', 'two_factor_state'],
  },
  adminStartView: {
    route: 'POST /api/admin/users/:id/view-as',
    permission: 'users.view_as',
    stepUp: true,
    params: idParams,
    body: adminViewBodySchema,
    answers: { 201: startedViewSchema },
    errors: ['user_not_found', 'own_account', 'user_is_staff'],
  },
  adminListLedger: {
    route: 'GET /api/admin/users/:id/ledger',
    permission: 'users.read',
    params: idParams,
    query: ledgerQuerySchema,
    answers: { 200: z.array(ledgerEntrySchema) },
    errors: ['user_not_found'],
  },
  adminExportLedger: {
    route: 'GET /api/admin/users/:id/ledger/export',
    permission: 'users.read',
    params: idParams,
    query: plainExportSchema,
    answers: { 200: bytesSchema },
    errors: ['user_not_found', 'export_too_large'],
  },
  adminGrantUnits: {
    route: 'POST /api/admin/users/:id/grants',
    permission: 'grants.create',
    params: idParams,
    body: grantBodySchema,
    answers: { 201: grantSchema },
    errors: ['user_not_found', 'own_account', 'role_above_own', 'grant_limit'],
  },
});

const userDetails = { params: idParams, errors: ['user_not_found'] } as const;

export const adminUserDetailEndpoints = defineAdminEndpoints({
  adminGetUserUsage: {
    route: 'GET /api/admin/users/:id/usage',
    permission: 'users.read',
    ...userDetails,
    answers: { 200: adminUserUsageSchema },
  },
  adminListUserHistory: {
    route: 'GET /api/admin/users/:id/history',
    permission: 'users.read',
    ...userDetails,
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
    ...userDetails,
    query: adminUserJobsQuerySchema,
    answers: { 200: z.array(adminUserJobSchema) },
  },
  adminListRejectedImages: {
    route: 'GET /api/admin/users/:id/rejected-images',
    permission: 'jobs.read',
    ...userDetails,
    answers: { 200: z.array(adminRejectedImageSchema) },
  },
  adminListUserKeys: {
    route: 'GET /api/admin/users/:id/keys',
    permission: 'keys.manage',
    ...userDetails,
    answers: { 200: z.array(adminUserKeySchema) },
  },
  adminListUserSessions: {
    route: 'GET /api/admin/users/:id/sessions',
    permission: 'users.read',
    ...userDetails,
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
