import { describeFeatures, describeLimitations } from '@uprez/contracts/policy/plan-cards';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { User } from '@uprez/contracts/schemas/user';
import { formatBytes } from '@uprez/contracts/texts/format';
import { Link } from 'react-router';
import { useDashboard, usePlans } from '../../lib/api/queries.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';
import { paths } from '../../site-map.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { Meter } from '../../ui/feedback/meter.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { QuotaMeter } from '../../ui/plans/quota-meter.tsx';
import { SentenceList } from '../../ui/plans/sentence-list.tsx';
import { AccountSection } from './account-section.tsx';
import { accountMessages } from './messages.ts';

const text = accountMessages.plan;

type TitledListProps = { label: string; sentences: readonly string[]; isMissing?: boolean };

function TitledList({ label, ...list }: TitledListProps) {
  return (
    <div className="grid content-start gap-2">
      <h3 className="text-sm">{label}</h3>
      <SentenceList label={label} className="gap-1.5 text-muted" {...list} />
    </div>
  );
}

function Usage({ dashboard }: { dashboard: Dashboard }) {
  const { quota, storageUsed, storageLimit } = dashboard;
  return (
    <div className="grid gap-4">
      {quota.map((meter) => (
        <QuotaMeter key={meter.meter} quota={meter} dashboard={dashboard} />
      ))}
      <Meter
        label={text.storage}
        value={storageUsed}
        max={storageLimit}
        valueText={text.used(formatBytes(storageUsed), formatBytes(storageLimit))}
      />
    </div>
  );
}

export function PlanSection({ user }: { user: User }) {
  const plans = usePlans();
  const dashboard = useDashboard();
  // The cards are about what is sold now.
  const ownPlan = planOfUser(user);
  return (
    <AccountSection
      part="plan"
      state={
        <div className="flex flex-wrap gap-2">
          <Link to={paths.pricing} className={buttonStyle({ look: 'secondary' })}>
            {text.compare}
          </Link>
          <a href={paths.billing} className={buttonStyle({ look: 'secondary' })}>
            {text.billing}
          </a>
        </div>
      }
    >
      <QueryView query={plans} skeleton={<Skeleton className="h-96" />}>
        {(cards) =>
          cards
            .filter(({ key }) => key === user.subscriptionTier)
            .map(({ key, name, description }) => (
              <div key={key} className="grid gap-5">
                <div>
                  <p className="font-medium">{name}</p>
                  <p className="text-muted text-sm">{description}</p>
                </div>
                <QueryView query={dashboard} skeleton={<Skeleton className="h-32" />}>
                  {(data) => <Usage dashboard={data} />}
                </QueryView>
                <div className="grid gap-5 sm:grid-cols-2">
                  <TitledList label={text.features} sentences={describeFeatures(ownPlan)} />
                  <TitledList label={text.limitations} sentences={describeLimitations(ownPlan)} isMissing />
                </div>
              </div>
            ))
        }
      </QueryView>
    </AccountSection>
  );
}
