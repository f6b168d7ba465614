import type { UseQueryResult } from '@tanstack/react-query';
import { countImages } from '@uprez/contracts/policy/plans/meters';
import type { User } from '@uprez/contracts/schemas/user';
import { formatCount, formatDay } from '@uprez/contracts/texts/format';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { describeError, hasErrorCode } from '../../lib/api/api-errors.ts';
import { useDashboard, usePlans } from '../../lib/api/queries.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { type Quota, quotaTotal } from '../../ui/plans/quota-meter.tsx';
import { type AccountSectionId, useSessions } from './account-section.tsx';
import { accountMessages } from './messages.ts';

const { card: text, parts } = accountMessages;

const linkStyle = 'underline decoration-line underline-offset-4 hover:decoration-current';

type QueryFactProps<T> = { query: UseQueryResult<T>; children: (data: T) => ReactNode };

function QueryFact<T>({ query: { data, error, refetch }, children }: QueryFactProps<T>) {
  if (data !== undefined) return children(data);
  // If the session has ended, shows the placeholder instead of an error, because the page redirects.
  if (!error || hasErrorCode(error, 'not_signed_in'))
    return (
      <span className="block py-0.5">
        <span className="block h-4 w-28 animate-fade-in rounded-control bg-sunken" />
      </span>
    );
  return (
    <p>
      {`${describeError(error)} `}
      <button type="button" className={linkStyle} onClick={() => void refetch()}>
        {messages.session.retry}
      </button>
    </p>
  );
}

/** Formats how much of a meter's quota is used: `3 of 10 AI images`. */
export const quotaText = (quota: Quota): string =>
  accountMessages.plan.used(formatCount(quota.used), countImages(quotaTotal(quota), quota.meter));

const otherParts = ['profile', 'password', 'export', 'delete'] as const satisfies readonly AccountSectionId[];

function PartLink({ part }: { part: AccountSectionId }) {
  return (
    <Link to={`${paths.account}#${part}`} className={linkStyle}>
      {parts[part]}
    </Link>
  );
}

function Fact({ part, children }: { part: AccountSectionId; children: ReactNode }) {
  return (
    <div className="grid gap-x-3 py-2.5 @sm:grid-cols-[minmax(0,9rem)_minmax(0,1fr)]">
      <dt className="text-muted">
        <PartLink part={part} />
      </dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

export function AccountCard({ user }: { user: User }) {
  const id = useId();
  const plans = usePlans();
  const dashboard = useDashboard();
  const sessions = useSessions();
  return (
    <section aria-labelledby={id} className="@container rounded-card border border-line bg-surface p-5">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 id={id} className="text-base">
          {text.title}
        </h2>
        <Link to={paths.account} className={buttonStyle({ look: 'secondary', size: 'small' })}>
          {text.open}
        </Link>
      </div>
      <dl className="divide-y divide-line text-sm">
        <Fact part="plan">
          <QueryFact query={plans}>
            {(cards) => <p className="font-medium">{cards.find(({ key }) => key === user.subscriptionTier)?.name}</p>}
          </QueryFact>
          <QueryFact query={dashboard}>
            {({ quota }) => (
              <p className="text-muted tabular-nums">
                {`${quota.map(quotaText).join(', ')}. `}
                {quota[0] && accountMessages.plan.resets(formatDay(quota[0].resetsAt))}
              </p>
            )}
          </QueryFact>
        </Fact>
        <Fact part="email">
          <p>{user.email}</p>
          <p className={user.emailVerified ? 'text-muted' : 'text-warning'}>
            {user.emailVerified ? accountMessages.email.confirmed : accountMessages.email.unconfirmed}
          </p>
        </Fact>
        <Fact part="two-factor">
          {user.twoFactorEnabled ? accountMessages.twoFactor.on : accountMessages.twoFactor.off}
        </Fact>
        <Fact part="devices">
          <QueryFact query={sessions}>{({ length }) => text.devices(length)}</QueryFact>
        </Fact>
      </dl>
      <ul className="flex flex-wrap gap-x-4 gap-y-2 border-line border-t pt-3 text-muted text-sm">
        {otherParts.map((part) => (
          <li key={part}>
            <PartLink part={part} />
          </li>
        ))}
      </ul>
    </section>
  );
}
