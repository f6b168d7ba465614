import * as z from 'zod';
import { seoSettingsSchema } from '../../schemas/admin/seo-settings.ts';
import {
  emailSettingsBodySchema,
  emailSettingsSchema,
  securitySettingsSchema,
  siteSettingsBodySchema,
  siteSettingsSchema,
  testMailSchema,
} from '../../schemas/admin/settings.ts';
import {
  restoredSettingsSchema,
  restoreSettingsBodySchema,
  settingsNameParams,
  settingsVersionSchema,
  settingsVersionsQuerySchema,
  versioned,
  withSeenVersion,
} from '../../schemas/admin/settings-versions.ts';
import { defineAdminEndpoints } from '../endpoint.ts';

/** The settings of the site, and their history. Those of billing are with the coupons. */
export const adminSettingsEndpoints = defineAdminEndpoints({
  getSiteSettings: {
    route: 'GET /api/admin/settings/site',
    permission: 'settings.read',
    answers: { 200: versioned(siteSettingsSchema) },
  },
  putSiteSettings: {
    route: 'PUT /api/admin/settings/site',
    permission: 'settings.manage',
    body: withSeenVersion(siteSettingsBodySchema),
    answers: { 200: versioned(siteSettingsSchema) },
    errors: ['settings_changed'],
  },
  getSeoSettings: {
    route: 'GET /api/admin/settings/seo',
    permission: 'settings.read',
    answers: { 200: versioned(seoSettingsSchema) },
  },
  putSeoSettings: {
    route: 'PUT /api/admin/settings/seo',
    permission: 'settings.manage',
    body: withSeenVersion(seoSettingsSchema),
    answers: { 200: versioned(seoSettingsSchema) },
    errors: ['settings_changed'],
  },
  getEmailSettings: {
    route: 'GET /api/admin/settings/email',
    permission: 'settings.read',
    answers: { 200: versioned(emailSettingsSchema) },
  },
  putEmailSettings: {
    route: 'PUT /api/admin/settings/email',
    permission: 'mail.manage',
    // Who reads the emails can reset the password of an owner.
    stepUp: true,
    body: withSeenVersion(emailSettingsBodySchema),
    answers: { 200: versioned(emailSettingsSchema) },
    errors: ['settings_changed'],
  },
  /** Sends a mail to the administrator, with settings that may not be saved. An empty password means the stored one. */
  adminSendTestMail: {
    route: 'POST /api/admin/settings/email/test',
    permission: 'mail.manage',
    stepUp: true,
    body: withSeenVersion(emailSettingsBodySchema),
    answers: { 200: testMailSchema },
  },
  getSecuritySettings: {
    route: 'GET /api/admin/security/settings',
    permission: 'security.manage',
    answers: { 200: versioned(securitySettingsSchema) },
  },
  putSecuritySettings: {
    route: 'PUT /api/admin/security/settings',
    permission: 'security.manage',
    stepUp: true,
    body: withSeenVersion(securitySettingsSchema),
    answers: { 200: versioned(securitySettingsSchema) },
    errors: ['settings_changed'],
  },
  /** Requires what reading the settings requires. */
  adminListSettingsVersions: {
    route: 'GET /api/admin/settings/:name/history',
    permission: 'settings.read',
    params: settingsNameParams,
    query: settingsVersionsQuerySchema,
    answers: { 200: z.array(settingsVersionSchema) },
    errors: ['settings_version_not_found'],
  },
  /** Requires what writing the settings requires. */
  adminRestoreSettings: {
    route: 'POST /api/admin/settings/:name/restore',
    permission: 'settings.manage',
    params: settingsNameParams,
    body: restoreSettingsBodySchema,
    answers: { 200: restoredSettingsSchema },
    errors: ['settings_version_not_found', 'settings_changed', 'step_up_required'],
  },
});
