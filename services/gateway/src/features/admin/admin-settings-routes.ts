import { writeSettings } from '@uprez/domain/admin/write-settings';
import { getSettings, hidePassword } from '@uprez/domain/settings/open-settings';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import type { Dialect } from '../dialect.ts';

/** The settings of the site. */
export function registerAdminSettingsRoutes({ route }: Dialect, deps: Deps): void {
  route('getSiteSettings', async () => getSettings(deps, 'site'));
  route('putSiteSettings', async (request) =>
    writeSettings(deps, { admin: await requireAdmin(deps, request), name: 'site', value: request.body }),
  );
  route('getEmailSettings', async () => hidePassword(await getSettings(deps, 'email')));
  route('putEmailSettings', async (request) => {
    const { smtpPasswordSet: _, ...value } = request.body;
    const admin = await requireAdmin(deps, request);
    return hidePassword(await writeSettings(deps, { admin, name: 'email', value }));
  });
  route('getSecuritySettings', async () => getSettings(deps, 'security'));
  route('putSecuritySettings', async (request) =>
    writeSettings(deps, { admin: await requireAdmin(deps, request), name: 'security', value: request.body }),
  );
}
