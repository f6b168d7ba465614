import * as z from 'zod';
import {
  emailSettingsBodySchema,
  emailSettingsSchema,
  securitySettingsSchema,
  seoSettingsSchema,
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
  withSeenVersion,
  withVersion,
} from '../../schemas/admin/settings-versions.ts';
import { defineAdminEndpoints } from '../endpoint.ts';

/** The billing settings are in `couponEndpoints`. */
export const adminSettingsEndpoints = defineAdminEndpoints({
  getSiteSettings: {
    route: 'GET /api/admin/settings/site',
    permission: 'settings.read',
    answers: { 200: withVersion(siteSettingsSchema) },
  },
  putSiteSettings: {
    route: 'PUT /api/admin/settings/site',
    permission: 'settings.manage',
    body: withSeenVersion(siteSettingsBodySchema),
    answers: { 200: withVersion(siteSettingsSchema) },
    errors: ['settings_changed'],
  },
  getSeoSettings: {
    route: 'GET /api/admin/settings/seo',
    permission: 'settings.read',
    answers: { 200: withVersion(seoSettingsSchema) },
  },
  putSeoSettings: {
    route: 'PUT /api/admin/settings/seo',
    permission: 'settings.manage',
    body: withSeenVersion(seoSettingsSchema),
    answers: { 200: withVersion(seoSettingsSchema) },
    errors: ['settings_changed'],
  },
  getEmailSettings: {
    route: 'GET /api/admin/settings/email',
    permission: 'settings.read',
    answers: { 200: withVersion(emailSettingsSchema) },
  },
  putEmailSettings: {
    route: 'PUT /api/admin/settings/email',
    permission: 'mail.manage',
    // Requires step-up authentication, because anyone who can read the emails can reset an owner's password.
    stepUp: true,
    body: withSeenVersion(emailSettingsBodySchema),
    answers: { 200: withVersion(emailSettingsSchema) },
    errors: ['settings_changed'],
  },
  /**
   * Sends a test email to the requesting administrator. Uses the settings in the body, which may be unsaved. An empty
   * password means the stored password, but only if the server is the stored server.
   */
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
    answers: { 200: withVersion(securitySettingsSchema) },
  },
  putSecuritySettings: {
    route: 'PUT /api/admin/security/settings',
    permission: 'security.manage',
    stepUp: true,
    body: withSeenVersion(securitySettingsSchema),
    answers: { 200: withVersion(securitySettingsSchema) },
    errors: ['settings_changed'],
  },
  /** Also requires the permission to read the named settings. */
  adminListSettingsVersions: {
    route: 'GET /api/admin/settings/:name/history',
    permission: 'settings.read',
    params: settingsNameParams,
    query: settingsVersionsQuerySchema,
    answers: { 200: z.array(settingsVersionSchema) },
    errors: ['settings_version_not_found'],
  },
  /**
   * Also requires the permission to write the named settings, and step-up authentication if writing them requires it.
   */
  adminRestoreSettings: {
    route: 'POST /api/admin/settings/:name/restore',
    permission: 'settings.manage',
    params: settingsNameParams,
    body: restoreSettingsBodySchema,
    answers: { 200: restoredSettingsSchema },
    errors: ['settings_version_not_found', 'settings_changed', 'step_up_required'],
  },
});
