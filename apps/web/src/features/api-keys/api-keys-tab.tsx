import { limits } from '@uprez/contracts/policy/limits';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import { countImages } from '@uprez/contracts/policy/plans/meters';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { ApiKeyView, KeyScope } from '@uprez/contracts/schemas/api-keys';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import type { User } from '@uprez/contracts/schemas/user';
import { Check } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { usePlans } from '../../lib/api/queries.ts';
import { findFieldError, useApiForm } from '../../lib/forms/use-api-form.ts';
import { useFocusFallback } from '../../lib/layout/focus.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';
import { paths } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { FormError } from '../../ui/feedback/form-error.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Disclosure } from '../../ui/layout/disclosure.tsx';
import { emptyDraft, type KeyForm, KeyLimitFields, newKeySchema, toNewKeyBody } from './key-draft.tsx';
import { KeyRow } from './key-row.tsx';
import { apiKeysMessages, apiKeysMessages as text } from './messages.ts';
import { isCurrentTestKey, SandboxKeyCard } from './sandbox-key-card.tsx';
import { SecretPanel } from './secret-panel.tsx';
import { UnverifiedNotice } from './unverified-notice.tsx';
import { type KeyCreation, useApiKeys, useKeyCreation, useRefreshUsageCounters } from './use-api-keys.ts';

export function ApiKeysTab({ user }: { user: User }) {
  const creation = useKeyCreation();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {checkPlanLimits(planOfUser(user), { what: 'api' }).ok ? (
        <Keys user={user} creation={creation} />
      ) : (
        <SandboxKeys user={user} creation={creation} />
      )}
      <SecretPanel creation={creation} />
    </div>
  );
}

const { create: newKeyText, fields: fieldText } = apiKeysMessages;

const kinds = (['live', 'test'] as const).map((value) => ({ value, label: fieldText.kinds[value].label }));

const scopes = Object.keys(fieldText.scopeList) as KeyScope[];

function KeyPurposeFields({ form }: { form: KeyForm }) {
  const kind = form.watch('kind');
  const chosen = form.watch('scopes');
  const toggle = (scope: KeyScope) => (checked: boolean) =>
    form.change({ scopes: scopes.filter((other) => (other === scope ? checked : chosen.includes(other))) });
  const scopeError = chosen.length === 0 ? fieldText.noScope : form.errorOf('scopes');
  return (
    <div className="grid content-start gap-5">
      <div className="grid gap-1.5">
        <Segmented legend={fieldText.kind} options={kinds} {...form.choice('kind')} />
        <p className="text-muted text-xs">{form.errorOf('kind') ?? fieldText.kinds[kind].hint}</p>
      </div>
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-medium text-sm">{fieldText.scopes}</legend>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            label={fieldText.scopeOf(fieldText.scopeList[scope])}
            checked={chosen.includes(scope)}
            onChange={toggle(scope)}
          />
        ))}
        {scopeError && (
          <p role="alert" className="text-danger text-sm">
            {scopeError}
          </p>
        )}
      </fieldset>
    </div>
  );
}

function NewKeyForm({ user, create }: { user: User; create: KeyCreation['create'] }) {
  const reasonId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const reveal = (field: string | undefined) => field !== undefined && field !== 'name' && setIsOpen(true);
  const form = useApiForm({
    schema: newKeySchema,
    defaultValues: emptyDraft,
    failure: newKeyText.failed,
    send: async (draft) => {
      // Moves the focus to the name field, where closing the secret panel returns it. The submit button can't take the
      // focus, because it is disabled after the reset.
      form.setFocus('name');
      await create.mutateAsync(toNewKeyBody(draft, Date.now()), {
        onError: (error) => reveal(findFieldError(error)?.field),
      });
      form.reset(emptyDraft);
      setIsOpen(false);
    },
    onInvalid: (field) => {
      reveal(field);
      return newKeyText.failed;
    },
  });
  // The error may be outdated, because the user may have confirmed the email address in another tab since.
  const wasUnverified = hasErrorCode(create.error, 'email_unverified');
  const isNameless = form.watch('name').trim() === '';
  const button = (
    <Button
      type="submit"
      disabled={isNameless || !user.emailVerified}
      aria-describedby={isNameless || !user.emailVerified ? reasonId : undefined}
      pending={form.isSubmitting}
      pendingText={newKeyText.pending}
    >
      {newKeyText.submit}
    </Button>
  );
  return (
    <form onSubmit={form.submit} className="grid gap-4">
      <div className="grid gap-3 sm:grid-cols-[minmax(0,24rem)_auto] sm:items-end sm:justify-start">
        <TextField
          label={newKeyText.name}
          {...form.field('name')}
          placeholder={newKeyText.namePlaceholder}
          maxLength={limits.nameLength}
          autoComplete="off"
        />
        {!isOpen && button}
      </div>
      <div id={reasonId} className="grid gap-3 empty:hidden">
        {user.emailVerified && isNameless && <p className="text-muted text-xs">{newKeyText.needsName}</p>}
        {!user.emailVerified && <UnverifiedNotice />}
      </div>
      {!wasUnverified && <FormError form={form} />}
      <Disclosure label={newKeyText.options} open={isOpen} onOpenChange={setIsOpen}>
        <div className="grid gap-6 rounded-control border border-line p-4 md:grid-cols-2">
          <KeyPurposeFields form={form} />
          <KeyLimitFields form={form} ownPlan={planOfUser(user)} />
        </div>
      </Disclosure>
      {isOpen && <div className="grid sm:justify-start">{button}</div>}
    </form>
  );
}

const upgradeText = text.upgrade;

const DocumentationLink = () => (
  <Link to={paths.documentation} className={buttonStyle({ look: 'ghost' })}>
    {text.documentation}
  </Link>
);

const mayUseKey = ({ kind }: ApiKeyView, ownPlan: Plan) =>
  checkPlanLimits(ownPlan, { what: 'api', sandbox: kind === 'test' }).ok;

type KeyListProps = { keys: readonly ApiKeyView[]; ownPlan: Plan; rotate: KeyCreation['rotate'] };

function KeyList({ keys, ownPlan, rotate }: KeyListProps) {
  return (
    <ul aria-label={text.list} className="divide-y divide-line">
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} ownPlan={ownPlan} rotate={mayUseKey(key, ownPlan) ? rotate : undefined} />
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
  useRefreshUsageCounters(keys.data);
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

/** Shown on plans without API access. Shows the sandbox key, any keys from a former plan, and an upgrade offer. */
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
                {rows.some((key) => !mayUseKey(key, ownPlan)) && <Notice kind="warning">{upgradeText.left}</Notice>}
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
