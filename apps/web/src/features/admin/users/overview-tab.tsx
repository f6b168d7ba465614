import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { JobSurface } from '@uprez/contracts/policy/admin/tables';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { AdminUser, AdminUserUsage } from '@uprez/contracts/schemas/admin/users';
import { type AssignedPool, assignPoolBodySchema, type WorkerPools } from '@uprez/contracts/schemas/admin/workers';
import { formatBytes, formatCount, formatDay } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatDateTime } from '../../../lib/format/format.ts';
import { getMonthStart } from '../../../lib/format/month-start.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Meter } from '../../../ui/feedback/meter.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { hasShownError, QueryError, QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { FactGrid } from '../../../ui/layout/fact-grid.tsx';
import { FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { quotaText, quotaTotal } from '../../../ui/plans/quota-meter.tsx';
import { adminApi } from '../admin-api.ts';
import { useHasPermission, useOwnUser } from '../frame/use-own-user.ts';
import { toJobsPath } from '../jobs/links.ts';
import { optionalReasonField } from '../jobs/operation-messages.ts';
import { poolMessages } from '../jobs/pool-messages.ts';
import { adminMessages } from '../messages.ts';
import { dialogMessages } from './dialog-messages.ts';
import { userMessages } from './messages.ts';
import { SubscriptionFact } from './payments-tab.tsx';
import { userKeyOf } from './queries.ts';
import { listActions } from './user-actions.ts';
import { nameOf } from './user-cell.tsx';
import { ReasonDialog } from './user-dialogs.tsx';

export function OverviewTab({ user }: { user: AdminUser }) {
  const usage = useQuery<AdminUserUsage>({ queryKey: userKeyOf(user.id, 'usage'), refetchOnMount: 'always' });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {usage.data?.lockedUntil && <LockNotice user={user} lockedUntil={usage.data.lockedUntil} />}
      <AccountCard user={user} />
      <PlanCard user={user} />
      <QueryView query={usage} skeleton={<Skeleton className="h-48 rounded-card" />}>
        {(data) => <UsageCard user={user} usage={data} />}
      </QueryView>
    </div>
  );
}

const accountText = poolMessages.account;

function AssignDialog({ user, held, onClose }: { user: AccountReference; held: AssignedPool; onClose: () => void }) {
  const { data } = useQuery<WorkerPools>({ queryKey: [adminRoutes.adminListPools.path] });
  const asPlan = held.planPool === null ? accountText.plan : accountText.planPool(held.planPool);
  return (
    <FormCallDialog
      text={{ ...accountText, title: accountText.title(user.email) }}
      schema={assignPoolBodySchema}
      initial={{ pool: held.pool }}
      fields={[
        {
          kind: 'select',
          name: 'pool',
          label: accountText.label,
          options: [
            { value: null, label: asPlan },
            ...(data?.pools ?? []).map(({ name }) => ({ value: name, label: name })),
          ],
        },
        optionalReasonField,
      ]}
      call={(body) => adminApi.adminSetUserPool({ params: { id: user.id }, body })}
      refreshes={[userKeyOf(user.id), [adminRoutes.adminListPools.path]]}
      done={accountText.done}
      onClose={onClose}
    />
  );
}

type AccountReference = { id: string; email: string };

function PoolFact({ user }: { user: AccountReference }) {
  const query = useQuery<AssignedPool>({ queryKey: userKeyOf(user.id, 'pool'), refetchOnMount: 'always' });
  const mayManage = useHasPermission('users.manage');
  const mayReadPools = useHasPermission('jobs.read');
  const [isOpen, setOpen] = useState(false);
  const { data } = query;
  if (hasShownError(query)) return <QueryError query={query} />;
  if (!data) return '...';
  const { pool, planPool } = data;
  const shown =
    pool === null ? (planPool === null ? accountText.none : accountText.byPlan(planPool)) : accountText.own(pool);
  return (
    <span className="flex flex-wrap items-center gap-3">
      <span>{shown}</span>
      {mayManage && mayReadPools && (
        <Button look="secondary" size="small" onClick={() => setOpen(true)}>
          {accountText.change}
        </Button>
      )}
      {isOpen && <AssignDialog user={user} held={data} onClose={() => setOpen(false)} />}
    </span>
  );
}

const text = userMessages.overview;

function AccountCard({ user }: { user: AdminUser }) {
  const { id, role, suspendedAt, suspendedReason, deletesAt, lastSeenAt } = user;
  return (
    <Card title={text.account}>
      <FactGrid
        facts={[
          [text.status, suspendedAt ? text.suspended(formatDateTime(suspendedAt)) : text.active],
          ...(suspendedReason ? [[text.suspendedReason, suspendedReason] as const] : []),
          [text.role, role ? adminMessages.roles[role] : text.noRole],
          [text.email, user.emailVerified ? text.confirmed : text.unconfirmed],
          [text.twoFactor, user.twoFactorEnabled ? text.on : text.off],
          [text.lastSeen, lastSeenAt ? formatDateTime(lastSeenAt) : text.never],
          [text.joined, formatDateTime(user.createdAt)],
          ...(deletesAt ? [[text.deletion, formatDateTime(deletesAt)] as const] : []),
          [text.id, <code key="id">{id}</code>],
        ]}
      />
    </Card>
  );
}

/**
 * Whether an administrator set the user's plan. Can't detect a plan that was set without a reason or an end if it
 * equals the plan of the subscription.
 */
const isOverride = ({ subscriptionTier, subscriptionReason, subscriptionEndsAt, billedTier }: AdminUser): boolean =>
  subscriptionEndsAt !== null ||
  subscriptionReason !== null ||
  (subscriptionTier !== 'free' && subscriptionTier !== billedTier);

function sourceOf(user: AdminUser): (readonly [string, string])[] {
  const { subscriptionEndsAt, subscriptionReason, billedTier } = user;
  if (!isOverride(user)) return [[text.source, billedTier === null ? text.fromNothing : text.fromBilling]];
  return [
    [text.source, text.fromAdmin],
    [text.ends, subscriptionEndsAt ? formatDay(subscriptionEndsAt) : text.noEnd],
    ...(subscriptionReason ? [[text.reason, subscriptionReason] as const] : []),
  ];
}

function PlanCard({ user }: { user: AdminUser }) {
  const mayReadPayments = useHasPermission('payments.read');
  return (
    <Card title={text.plan}>
      <FactGrid
        facts={[
          [text.current, currentPlans[user.subscriptionTier].name],
          ...sourceOf(user),
          [poolMessages.account.label, <PoolFact key="pool" user={user} />],
          ...(mayReadPayments ? [[text.subscription, <SubscriptionFact key="bill" userId={user.id} />] as const] : []),
        ]}
      />
    </Card>
  );
}

function RowsLink({ count, label, to }: { count: number; label: string; to: string | undefined }) {
  if (to === undefined) return formatCount(count);
  return (
    <Link
      to={to}
      aria-label={text.show(count, label)}
      className="underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {formatCount(count)}
    </Link>
  );
}

function UsageCard({ user, usage }: { user: AdminUser; usage: AdminUserUsage }) {
  const mayReadJobs = useHasPermission('jobs.read');
  const mayManageKeys = useHasPermission('keys.manage');
  const counted = (label: string, count: number, to: string | undefined) =>
    [label, <RowsLink key={label} count={count} label={label} to={to} />] as const;
  const thisMonth = (surface: JobSurface) =>
    toJobsPath({ account: user.id, view: 'delivered', surface, from: getMonthStart() });
  return (
    <Card title={text.usage}>
      <div className="grid gap-4 sm:grid-cols-2">
        {usage.quota.map((quota) => (
          <Meter
            key={quota.meter}
            label={dialogMessages.grant.meters[quota.meter]}
            value={quota.used}
            max={quotaTotal(quota)}
            valueText={quotaText(quota)}
          />
        ))}
      </div>
      <FactGrid
        facts={[
          counted(text.month, user.imagesProcessedThisMonth, mayReadJobs ? thisMonth('web') : undefined),
          counted(text.calls, user.apiCallsThisMonth, mayReadJobs ? thisMonth('api') : undefined),
          counted(text.jobs, usage.jobs, mayReadJobs ? '?tab=jobs' : undefined),
          counted(text.failedJobs, usage.failedJobs, mayReadJobs ? '?tab=jobs&status=failed' : undefined),
          counted(text.rejected, usage.rejectedImages, mayReadJobs ? '?tab=jobs' : undefined),
          counted(text.keys, usage.apiKeys, mayManageKeys ? '?tab=keys' : undefined),
          counted(text.sessions, usage.sessions, '?tab=devices'),
          [text.storage, text.storageOf(formatBytes(usage.storageUsed), formatBytes(usage.storageLimit))],
        ]}
      />
    </Card>
  );
}

const { unlock } = dialogMessages;

function LockNotice({ user, lockedUntil }: { user: AdminUser; lockedUntil: string }) {
  const [isOpen, setOpen] = useState(false);
  const own = useOwnUser();
  // Requires the same permission as signing the user out.
  const mayUnlock = own !== undefined && listActions(own, user).includes('sign_out');
  return (
    <Notice kind="warning">
      <p>{text.locked(formatDateTime(lockedUntil))}</p>
      {mayUnlock && (
        <Button size="small" look="secondary" className="mt-2" onClick={() => setOpen(true)}>
          {unlock.action}
        </Button>
      )}
      {isOpen && (
        <ReasonDialog
          text={{ ...unlock, title: unlock.title(nameOf(user)), text: unlock.description }}
          call={(body) => adminApi.adminUnlockUser({ params: { id: user.id }, body })}
          done={unlock.done}
          onClose={() => setOpen(false)}
        />
      )}
    </Notice>
  );
}
