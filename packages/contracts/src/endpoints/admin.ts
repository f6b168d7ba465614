import * as z from 'zod';
import {
  adminStatsSchema,
  adminTierBodySchema,
  adminTwoFactorBodySchema,
  adminUserBodySchema,
  adminUserSchema,
  adminUsersQuerySchema,
} from '../schemas/admin.ts';
import {
  emailSettingsBodySchema,
  emailSettingsSchema,
  securitySettingsSchema,
  siteSettingsSchema,
} from '../schemas/settings.ts';
import { type Endpoint, idParams, signedIn, write } from './endpoint.ts';

const reading = [...signedIn, 'admin_only', 'admin_two_factor'] as const;
const writing = [...reading, ...write, 'invalid_parameter'] as const;

const settingsOf = <Shown extends z.ZodType, Written extends z.ZodType>(shown: Shown, body: Written) => ({
  get: { answers: { 200: shown }, errors: reading, auth: 'admin' } as const,
  put: { body, answers: { 200: shown }, errors: writing, auth: 'admin' } as const,
});
const site = settingsOf(siteSettingsSchema, siteSettingsSchema);
const email = settingsOf(emailSettingsSchema, emailSettingsBodySchema);
const security = settingsOf(securitySettingsSchema, securitySettingsSchema);

/** What administrators see and change. */
export const adminEndpoints = {
  adminStats: { answers: { 200: adminStatsSchema }, errors: reading, auth: 'admin' },
  adminListUsers: {
    query: adminUsersQuerySchema,
    answers: { 200: z.array(adminUserSchema) },
    errors: [...reading, 'invalid_parameter'],
    auth: 'admin',
  },
  adminGetUser: {
    params: idParams,
    answers: { 200: adminUserSchema },
    errors: [...reading, 'user_not_found'],
    auth: 'admin',
  },
  adminUpdateUser: {
    params: idParams,
    body: adminUserBodySchema,
    answers: { 200: adminUserSchema },
    errors: [...writing, 'user_not_found', 'own_account'],
    auth: 'admin',
  },
  adminSetTier: {
    params: idParams,
    body: adminTierBodySchema,
    answers: { 200: adminUserSchema },
    errors: [...writing, 'user_not_found'],
    auth: 'admin',
  },
  adminRemoveTwoFactor: {
    params: idParams,
    body: adminTwoFactorBodySchema,
    answers: { 200: adminUserSchema },
    errors: [...writing, 'user_not_found', 'own_account', 'two_factor_state'],
    auth: 'admin',
  },
  getSiteSettings: site.get,
  putSiteSettings: site.put,
  getEmailSettings: email.get,
  putEmailSettings: email.put,
  getSecuritySettings: security.get,
  putSecuritySettings: security.put,
} as const satisfies Record<string, Endpoint>;
