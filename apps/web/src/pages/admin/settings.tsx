import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { EmailForm } from '../../features/admin/settings/email-form.tsx';
import { SeoForm } from '../../features/admin/settings/seo-form.tsx';
import { SettingsPage } from '../../features/admin/settings/settings-page.tsx';
import { SiteForm } from '../../features/admin/settings/site-form.tsx';

type DataOf<Form extends (props: never) => unknown> = Parameters<Form>[0] extends { data: infer Data } ? Data : never;

export const GeneralSettingsPage = () => (
  <SettingsPage<DataOf<typeof SiteForm>> screen="site" path={adminRoutes.getSiteSettings.path}>
    {(data) => <SiteForm data={data} />}
  </SettingsPage>
);

export const SeoSettingsPage = () => (
  <SettingsPage<DataOf<typeof SeoForm>> screen="seo" path={adminRoutes.getSeoSettings.path}>
    {(data) => <SeoForm data={data} />}
  </SettingsPage>
);

export const EmailSettingsPage = () => (
  <SettingsPage<DataOf<typeof EmailForm>> screen="email" path={adminRoutes.getEmailSettings.path}>
    {(data) => <EmailForm data={data} />}
  </SettingsPage>
);
