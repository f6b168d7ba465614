import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { requireStepUp } from '@uprez/domain/accounts/step-up';
import { requirePermission } from '@uprez/domain/admin/administrator';
import { sendTestMail, writeEmailSettings } from '@uprez/domain/admin/email-settings';
import { listSettingsVersions, requireSettingsName, restoreSettings } from '@uprez/domain/admin/settings-versions';
import { writeSettings } from '@uprez/domain/admin/write-settings';
import type { FormSettings } from '@uprez/domain/context';
import { getSettings, hidePassword } from '@uprez/domain/settings/open-settings';
import type { Deps } from '../../deps.ts';
import { requireAdmin, requireUser } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';

export const adminSettingsHandlers = (deps: Deps) =>
  defineHandlers({
    getSiteSettings: async () => getSettings(deps, 'site'),
    putSiteSettings: async (request) => {
      const { version: seen, ...value } = request.body;
      return writeSettings(deps, { admin: await requireAdmin(deps, request), name: 'site', value, seen });
    },
    getSeoSettings: async () => getSettings(deps, 'seo'),
    putSeoSettings: async (request) => {
      const { version: seen, ...value } = request.body;
      return writeSettings(deps, { admin: await requireAdmin(deps, request), name: 'seo', value, seen });
    },
    getEmailSettings: async () => hidePassword(await getSettings(deps, 'email')),
    putEmailSettings: async (request) => {
      const { smtpPasswordSet: _, smtpPasswordLost: __, version: seen, smtpPassword, ...rest } = request.body;
      const value = { ...rest, smtpPassword: smtpPassword ?? '' };
      const change = { value, seen, removesPassword: smtpPassword === null, publicUrl: deps.config.PUBLIC_URL };
      return hidePassword(await writeEmailSettings(deps, { admin: await requireAdmin(deps, request), ...change }));
    },
    adminSendTestMail: async (request) => {
      const { smtpPasswordSet: _, smtpPasswordLost: __, version: ___, smtpPassword, ...rest } = request.body;
      const form = { ...rest, smtpPassword: smtpPassword ?? '' };
      const test = { form, usesPassword: smtpPassword !== null };
      return sendTestMail(deps, { admin: await requireAdmin(deps, request), ...test });
    },
    getBillingSettings: async () => getSettings(deps, 'billing'),
    putBillingSettings: async (request) => {
      const { version: seen, ...value } = request.body;
      return writeSettings(deps, { admin: await requireAdmin(deps, request), name: 'billing', value, seen });
    },
    getSecuritySettings: async () => getSettings(deps, 'security'),
    putSecuritySettings: async (request) => {
      const { version: seen, ...value } = request.body;
      return writeSettings(deps, { admin: await requireAdmin(deps, request), name: 'security', value, seen });
    },
  });

/** The history of settings requires the same permissions as these endpoints. */
const endpointsOf = {
  site: { read: endpoints.getSiteSettings, write: endpoints.putSiteSettings },
  seo: { read: endpoints.getSeoSettings, write: endpoints.putSeoSettings },
  email: { read: endpoints.getEmailSettings, write: endpoints.putEmailSettings },
  security: { read: endpoints.getSecuritySettings, write: endpoints.putSecuritySettings },
  billing: { read: endpoints.getBillingSettings, write: endpoints.putBillingSettings },
} as const satisfies Record<FormSettings, unknown>;
const formNames = Object.keys(endpointsOf) as FormSettings[];

export const settingsHistoryHandlers = (deps: Deps) =>
  defineHandlers({
    adminListSettingsVersions: async (request, reply) => {
      const { name } = request.params;
      requireSettingsName(name, formNames);
      requirePermission((await requireUser(deps, request)).role, endpointsOf[name].read.permission);
      return rowsOfPage(reply, await listSettingsVersions(deps, { name, ...request.query }));
    },
    adminRestoreSettings: async (request) => {
      const { name } = request.params;
      requireSettingsName(name, formNames);
      const user = await requireUser(deps, request);
      const { write } = endpointsOf[name];
      requirePermission(user.role, write.permission);
      if ('stepUp' in write) requireStepUp(user);
      const admin = { ...(await requireAdmin(deps, request)), permission: write.permission };
      return restoreSettings(deps, { admin, name, publicUrl: deps.config.PUBLIC_URL, ...request.body });
    },
  });
