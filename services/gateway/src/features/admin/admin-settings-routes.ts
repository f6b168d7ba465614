import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { requireSteppedUp } from '@uprez/domain/accounts/step-up';
import { requirePermission } from '@uprez/domain/admin/administrator';
import { listSettingsVersions, requireSettingsName } from '@uprez/domain/admin/list-settings-versions';
import { restoreSettings } from '@uprez/domain/admin/restore-settings';
import { sendTestMail } from '@uprez/domain/admin/send-test-mail';
import { writeEmailSettings } from '@uprez/domain/admin/write-email-settings';
import { writeSettings } from '@uprez/domain/admin/write-settings';
import type { FormSettings } from '@uprez/domain/context';
import { getSettings, hidePassword } from '@uprez/domain/settings/open-settings';
import type { Deps } from '../../deps.ts';
import { requireAdmin, requireUser } from '../../http/authenticate.ts';
import { linkNext } from '../../http/public-links.ts';
import type { ApiAdapter } from '../api-adapter.ts';

/** The settings of the site. */
export function registerAdminSettingsRoutes({ route }: ApiAdapter, deps: Deps): void {
  route('getSiteSettings', async () => getSettings(deps, 'site'));
  route('putSiteSettings', async (request) => {
    const { version: seen, ...value } = request.body;
    return writeSettings(deps, { admin: await requireAdmin(deps, request), name: 'site', value, seen });
  });
  route('getSeoSettings', async () => getSettings(deps, 'seo'));
  route('putSeoSettings', async (request) => {
    const { version: seen, ...value } = request.body;
    return writeSettings(deps, { admin: await requireAdmin(deps, request), name: 'seo', value, seen });
  });
  route('getEmailSettings', async () => hidePassword(await getSettings(deps, 'email')));
  route('putEmailSettings', async (request) => {
    const { smtpPasswordSet: _, smtpPasswordLost: __, version: seen, smtpPassword, ...rest } = request.body;
    const value = { ...rest, smtpPassword: smtpPassword ?? '' };
    const change = { value, seen, removesPassword: smtpPassword === null, publicUrl: deps.config.PUBLIC_URL };
    return hidePassword(await writeEmailSettings(deps, { admin: await requireAdmin(deps, request), ...change }));
  });
  route('adminSendTestMail', async (request) => {
    const { smtpPasswordSet: _, smtpPasswordLost: __, version: ___, smtpPassword, ...rest } = request.body;
    const form = { ...rest, smtpPassword: smtpPassword ?? '' };
    const test = { form, usesPassword: smtpPassword !== null };
    return sendTestMail(deps, { admin: await requireAdmin(deps, request), ...test });
  });
  route('getBillingSettings', async () => getSettings(deps, 'billing'));
  route('putBillingSettings', async (request) => {
    const { version: seen, ...value } = request.body;
    return writeSettings(deps, { admin: await requireAdmin(deps, request), name: 'billing', value, seen });
  });
  route('getSecuritySettings', async () => getSettings(deps, 'security'));
  route('putSecuritySettings', async (request) => {
    const { version: seen, ...value } = request.body;
    return writeSettings(deps, { admin: await requireAdmin(deps, request), name: 'security', value, seen });
  });
}

/** The endpoints that read and write settings: their history requires what these require. */
const endpointsOf = {
  site: { read: endpoints.getSiteSettings, write: endpoints.putSiteSettings },
  seo: { read: endpoints.getSeoSettings, write: endpoints.putSeoSettings },
  email: { read: endpoints.getEmailSettings, write: endpoints.putEmailSettings },
  security: { read: endpoints.getSecuritySettings, write: endpoints.putSecuritySettings },
  billing: { read: endpoints.getBillingSettings, write: endpoints.putBillingSettings },
} as const satisfies Record<FormSettings, unknown>;
const names = Object.keys(endpointsOf) as FormSettings[];

/** The history of the settings. */
export function registerSettingsHistoryRoutes({ route }: ApiAdapter, deps: Deps): void {
  route('adminListSettingsVersions', async (request, reply) => {
    const { name } = request.params;
    requireSettingsName(name, names);
    requirePermission((await requireUser(deps, request)).role, endpointsOf[name].read.permission);
    const { rows, ...page } = await listSettingsVersions(deps, { name, ...request.query });
    linkNext(reply, { path: `/api/admin/settings/${name}/history`, query: request.query, ...page });
    return rows;
  });
  route('adminRestoreSettings', async (request) => {
    const { name } = request.params;
    requireSettingsName(name, names);
    const user = await requireUser(deps, request);
    const { write } = endpointsOf[name];
    requirePermission(user.role, write.permission);
    if ('stepUp' in write) requireSteppedUp(user);
    const admin = { ...(await requireAdmin(deps, request)), permission: write.permission };
    return restoreSettings(deps, { admin, name, publicUrl: deps.config.PUBLIC_URL, ...request.body });
  });
}
