import * as z from 'zod';
import {
  adminStatsSchema,
  adminTierBodySchema,
  adminTwoFactorBodySchema,
  adminUserBodySchema,
  adminUserSchema,
  adminUsersQuerySchema,
} from '../schemas/admin.ts';
import { grantBodySchema, grantSchema, ledgerEntrySchema, ledgerQuerySchema } from '../schemas/metering.ts';
import {
  emailSettingsBodySchema,
  emailSettingsSchema,
  securitySettingsSchema,
  siteSettingsSchema,
} from '../schemas/settings.ts';
import { defineEndpoints, idParams } from './endpoint.ts';

const user = { params: idParams, answers: { 200: adminUserSchema } } as const;

/** What administrators see and change. */
export const adminEndpoints = defineEndpoints('admin', {
  adminStats: { answers: { 200: adminStatsSchema } },
  adminListUsers: { query: adminUsersQuerySchema, answers: { 200: z.array(adminUserSchema) } },
  adminGetUser: { ...user, errors: ['user_not_found'] },
  adminUpdateUser: { ...user, body: adminUserBodySchema, errors: ['user_not_found', 'own_account'] },
  adminSetTier: { ...user, body: adminTierBodySchema, errors: ['user_not_found'] },
  adminRemoveTwoFactor: {
    ...user,
    body: adminTwoFactorBodySchema,
    errors: ['user_not_found', 'own_account', 'two_factor_state'],
  },
  adminListLedger: {
    params: idParams,
    query: ledgerQuerySchema,
    answers: { 200: z.array(ledgerEntrySchema) },
    errors: ['user_not_found'],
  },
  adminGrantUnits: {
    params: idParams,
    body: grantBodySchema,
    answers: { 201: grantSchema },
    errors: ['user_not_found'],
  },
  getSiteSettings: { answers: { 200: siteSettingsSchema } },
  putSiteSettings: { body: siteSettingsSchema, answers: { 200: siteSettingsSchema } },
  getEmailSettings: { answers: { 200: emailSettingsSchema } },
  putEmailSettings: { body: emailSettingsBodySchema, answers: { 200: emailSettingsSchema } },
  getSecuritySettings: { answers: { 200: securitySettingsSchema } },
  putSecuritySettings: { body: securitySettingsSchema, answers: { 200: securitySettingsSchema } },
});
