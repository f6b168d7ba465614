import type { Permission } from '@uprez/contracts/policy/permissions';
import type { AdminUser } from '@uprez/contracts/schemas/admin';
import type { User } from '@uprez/contracts/schemas/user';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { AuditTable } from '../audit/audit-page.tsx';
import { DevicesTab } from './devices-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { JobsTab } from './jobs-tab.tsx';
import { KeysTab } from './keys-tab.tsx';
import { LedgerTab } from './ledger-tab.tsx';
import { userMessages } from './messages.ts';
import { OverviewTab } from './overview-tab.tsx';
import { PaymentsTab } from './payments-tab.tsx';

const text = userMessages.detail;
type Tab = keyof typeof text.tabs;

/** The tabs in order, with what they require besides reading users. */
const tabs: { value: Tab; permission: Permission; content: (user: AdminUser) => ReactNode }[] = [
  { value: 'overview', permission: 'users.read', content: (user) => <OverviewTab user={user} /> },
  { value: 'history', permission: 'users.read', content: ({ id }) => <HistoryTab userId={id} /> },
  { value: 'jobs', permission: 'jobs.read', content: ({ id }) => <JobsTab userId={id} /> },
  { value: 'ledger', permission: 'users.read', content: ({ id }) => <LedgerTab userId={id} /> },
  { value: 'keys', permission: 'keys.manage', content: ({ id }) => <KeysTab userId={id} /> },
  { value: 'devices', permission: 'users.read', content: ({ id }) => <DevicesTab userId={id} /> },
  { value: 'payments', permission: 'payments.read', content: ({ id }) => <PaymentsTab userId={id} /> },
  { value: 'audit', permission: 'logs.read', content: ({ id }) => <AuditTable account={id} /> },
];

/** The details of a user that the role of the administrator includes. The tab is stored in the URL. */
export function UserTabs({ user, own }: { user: AdminUser; own: User }) {
  const [params, setParams] = useSearchParams();
  const shown = tabs.filter(({ permission }) => own.permissions.includes(permission));
  const current = shown.find(({ value }) => value === params.get('tab'))?.value ?? 'overview';
  // Another tab has other filters.
  const choose = (tab: Tab) => {
    if (tab !== current) setParams(tab === 'overview' ? {} : { tab }, { replace: true, preventScrollReset: true });
  };
  return (
    <Tabs
      label={text.tabsLabel}
      value={current}
      onChange={choose}
      tabs={shown.map(({ value, content }) => ({ value, label: text.tabs[value], content: content(user) }))}
    />
  );
}
