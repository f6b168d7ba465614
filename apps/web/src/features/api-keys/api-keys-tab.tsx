import { may } from '@uprez/contracts/policy/may';
import { countImages } from '@uprez/contracts/policy/meters';
import type { Plan } from '@uprez/contracts/policy/plan-versions';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import type { User } from '@uprez/contracts/schemas/user';
import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { usePlans } from '../../lib/api/queries.ts';
import { useFocusFallback } from '../../lib/layout/use-focus-fallback.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';
import { paths } from '../../site-map.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { KeyRow } from './key-row.tsx';
import { apiKeysMessages as text } from './messages.ts';
import { NewKeyForm } from './new-key-form.tsx';
import { isCurrentTestKey, SandboxKeyCard } from './sandbox-key-card.tsx';
import { SecretPanel } from './secret-panel.tsx';
import { type KeyCreation, useApiKeys, useCountersOfKeys, useKeyCreation } from './use-api-keys.ts';

const upgradeText = text.upgrade;

const DocumentationLink = () => (
  <Link to={paths.documentation} className={buttonStyle({ look: 'ghost' })}>
    {text.documentation}
  </Link>
);

const mayUse = ({ kind }: ApiKeyView, ownPlan: Plan) => may(ownPlan, { what: 'api', sandbox: kind === 'test' }).ok;

type KeyListProps = { keys: readonly ApiKeyView[]; ownPlan: Plan; rotate: KeyCreation['rotate'] };

/** Keys that do not work on the plan can only be deleted. */
function KeyList({ keys, ownPlan, rotate }: KeyListProps) {
  return (
    <ul aria-label={text.list} className="divide-y divide-line">
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} ownPlan={ownPlan} rotate={mayUse(key, ownPlan) ? rotate : undefined} />
      ))}
    </ul>
  );
}

function KeyListSkeleton() {
  return (
    <div className="divide-y divide-line">
      {[0, 1].map((row) => (
        <div key={row} className="grid gap-3 py-4">
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-4 w-56" />
          <Skeleton className="h-10 w-full" />
        </div>
      ))}
    </div>
  );
}

function Keys({ user, creation }: { user: User; creation: KeyCreation }) {
  const keys = useApiKeys();
  useCountersOfKeys(keys.data);
  const list = useFocusFallback<HTMLDivElement>(`${keys.data?.length} ${creation.created?.key.id}`);
  const ownPlan = planOfUser(user);
  return (
    <>
      <Card title={text.create.title} actions={<DocumentationLink />}>
        <NewKeyForm user={user} create={creation.create} />
      </Card>
      <Card title={text.list}>
        <div ref={list} tabIndex={-1} className="outline-none">
          <QueryView query={keys} skeleton={<KeyListSkeleton />} empty={<EmptyState {...text.empty} />}>
            {(rows) => <KeyList keys={rows} ownPlan={ownPlan} rotate={creation.rotate} />}
          </QueryView>
        </div>
      </Card>
    </>
  );
}

function PlanOption({ plan: { name, price, period, entitlements } }: { plan: PlanCard }) {
  const { included, callsPerMinute } = entitlements;
  return (
    <li className="grid gap-1 rounded-control border border-line p-3 text-sm">
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{name}</span>
        <span className="tabular-nums">{upgradeText.price(price, period)}</span>
      </span>
      <span className="text-muted tabular-nums">
        {'shared' in included && upgradeText.included(countImages(included.shared, 'shared'))}
      </span>
      <span className="text-muted tabular-nums">{upgradeText.callsPerMinute(callsPerMinute)}</span>
    </li>
  );
}

function UpgradeCard() {
  const plans = usePlans();
  return (
    <Card title={upgradeText.title}>
      <ul className="grid gap-1.5 text-sm">
        {upgradeText.facts.map((fact) => (
          <li key={fact} className="flex gap-2">
            <Check aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-4 shrink-0 text-success" />
            {fact}
          </li>
        ))}
      </ul>
      <QueryView query={plans} skeleton={<Skeleton className="h-24 w-full" />}>
        {(all) => (
          <ul aria-label={upgradeText.plans} className="grid gap-3 sm:grid-cols-3">
            {all
              .filter(({ entitlements }) => entitlements.api)
              .map((plan) => (
                <PlanOption key={plan.key} plan={plan} />
              ))}
          </ul>
        )}
      </QueryView>
      <div className="flex flex-wrap items-center gap-2">
        <Link to={paths.pricing} className={buttonStyle()}>
          {upgradeText.open}
        </Link>
        <DocumentationLink />
      </div>
    </Card>
  );
}

/** Shown on plans without API access: the sandbox key, other keys of a former plan, and an offer. */
function SandboxKeys({ user, creation }: { user: User; creation: KeyCreation }) {
  const keys = useApiKeys();
  const ownPlan = planOfUser(user);
  return (
    <>
      <QueryView query={keys} skeleton={<Skeleton className="h-40 w-full rounded-card" />}>
        {(rows) => (
          <>
            <SandboxKeyCard user={user} create={creation.create} hasKey={rows.some(isCurrentTestKey)} />
            {rows.length > 0 && (
              <Card title={text.list}>
                {rows.some((key) => !mayUse(key, ownPlan)) && <Notice kind="warning">{upgradeText.left}</Notice>}
                <KeyList keys={rows} ownPlan={ownPlan} rotate={creation.rotate} />
              </Card>
            )}
          </>
        )}
      </QueryView>
      <UpgradeCard />
    </>
  );
}

export function ApiKeysTab({ user }: { user: User }) {
  const creation = useKeyCreation();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {may(planOfUser(user), { what: 'api' }).ok ? (
        <Keys user={user} creation={creation} />
      ) : (
        <SandboxKeys user={user} creation={creation} />
      )}
      <SecretPanel creation={creation} />
    </div>
  );
}
