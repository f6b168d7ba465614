import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { AdminNotices as Notices } from '@uprez/contracts/schemas/admin';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { incidentPath } from '@uprez/contracts/texts/pages';
import { Link } from 'react-router';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { paths } from '../../../site-map.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { CardPage } from '../../../ui/layout/page-heading.tsx';
import { adminMessages } from '../messages.ts';
import { useMay } from './use-may.ts';

const { notices: text, twoFactor } = adminMessages;
const linkStyle = 'underline underline-offset-4';

/** What all pages say, read again while one is open. */
export const useAdminNotices = () =>
  useQuery<Notices>({ queryKey: [adminRoutes.adminNotices.path], refetchInterval: 30_000 });

/** Whether the site requires two-factor authentication, which this administrator doesn't use. */
export const isTwoFactorMissing = ({ error }: ReturnType<typeof useAdminNotices>): boolean =>
  hasErrorCode(error, 'admin_two_factor');

/** Says on every page that the site is closed, and which maintenance is announced or goes on. */
export function AdminNotices({ notices: { maintenanceMode, maintenance } }: { notices: Notices }) {
  const mayReadSettings = useMay('settings.read');
  return (
    <>
      {maintenanceMode && (
        <Notice kind="warning">
          {text.maintenanceMode}{' '}
          {mayReadSettings && (
            <Link to={adminPages.settings} className={linkStyle}>
              {text.settings}
            </Link>
          )}
        </Notice>
      )}
      {maintenance.map(({ id, title, hasStarted, startsAt, endsAt }) => (
        <Notice key={id} kind={hasStarted ? 'warning' : 'info'}>
          {hasStarted ? text.goesOn(endsAt && formatTime(endsAt)) : text.starts(formatTime(startsAt))}{' '}
          <Link to={incidentPath(id)} className={linkStyle}>
            {title}
          </Link>
        </Notice>
      ))}
    </>
  );
}

/** Leads an administrator who has to use two-factor authentication to where it is set up. */
export const TwoFactorRequired = () => (
  <CardPage title={adminMessages.title(twoFactor.title)} heading={twoFactor.title}>
    <p className="text-muted text-sm">{twoFactor.text}</p>
    <Link to={`${paths.account}#two-factor`} className={buttonStyle({ className: 'justify-self-start' })}>
      {twoFactor.action}
    </Link>
  </CardPage>
);
