import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { limits } from '@uprez/contracts/policy/limits';
import { describeFeatures, describeLimitations } from '@uprez/contracts/policy/plans/plan-cards';
import { type ExportView, profileBodySchema, proofBodySchema } from '@uprez/contracts/schemas/account';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { User } from '@uprez/contracts/schemas/user';
import { formatBytes } from '@uprez/contracts/texts/format';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { useDashboard, usePlans, userKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { formatDate, formatDateTime } from '../../lib/format/format.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { dismissToasts, showToast } from '../../lib/notifications/toast-store.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';
import { clearDataInAllTabs } from '../../lib/session/session-lifecycle.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { exactInput, TextField } from '../../ui/controls/text-field.tsx';
import { Meter } from '../../ui/feedback/meter.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { ReauthAction, ReauthForm } from '../../ui/forms/reauth-form.tsx';
import { Outline } from '../../ui/layout/outline.tsx';
import { PageHeading } from '../../ui/layout/page-heading.tsx';
import { formatConfirmPrompt } from '../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { StepUpDialog } from '../../ui/overlays/step-up-dialog.tsx';
import { QuotaMeter } from '../../ui/plans/quota-meter.tsx';
import { SentenceList } from '../../ui/plans/sentence-list.tsx';
import { ReceiptLine } from '../../ui/receipt/receipt-line.tsx';
import {
  AccountList,
  AccountListRow,
  AccountSection,
  accountSectionIds,
  sessionsKey,
  useSessions,
} from './account-section.tsx';
import { EmailSection, PasskeysSection, PasswordSection } from './credential-sections.tsx';
import { DevicesSection } from './devices-section.tsx';
import { accountMessages } from './messages.ts';
import { TwoFactorSection } from './two-factor/two-factor-section.tsx';

const fields = [
  { name: 'firstName', autoComplete: 'given-name' },
  { name: 'lastName', autoComplete: 'family-name' },
] as const;

/** The account page. During maintenance, only the error is shown, because no section would work. */
export function AccountPage({ user }: { user: User }) {
  const sessions = useSessions();
  const isLeaving = user.deletesAt !== null;
  const entries = useMemo(() => {
    const ids = accountSectionIds.filter((id) => id !== 'delete' || !isLeaving);
    return ids.map((id) => ({ id, label: accountMessages.parts[id] }));
  }, [isLeaving]);
  return (
    <div className="mx-auto grid w-full max-w-160 grid-cols-[minmax(0,1fr)] gap-6 px-4 py-10 sm:px-6 md:py-16 lg:max-w-220">
      <PageHeading title={messages.page.account} className="text-xl">
        {accountMessages.title}
      </PageHeading>
      {hasErrorCode(sessions.error, 'maintenance') ? (
        <QueryView query={sessions} skeleton={null}>
          {() => null}
        </QueryView>
      ) : (
        <div className="grid items-start gap-x-10 lg:grid-cols-[13rem_minmax(0,1fr)]">
          <Outline entries={entries} className="sticky top-20" linkStyle="control rounded-control px-3 hover:bg-sunken">
            <a
              href={paths.billing}
              className="control mt-2 flex items-center rounded-control border border-line px-3 text-sm hover:bg-sunken"
            >
              {messages.navigation.billing}
            </a>
          </Outline>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <ProfileSection user={user} />
            <EmailSection user={user} />
            <PasswordSection user={user} />
            <TwoFactorSection user={user} />
            <PasskeysSection user={user} />
            <DevicesSection />
            <PlanSection user={user} />
            <DataSection user={user} />
            {!user.deletesAt && <DeletionSection user={user} />}
          </div>
        </div>
      )}
      <StepUpDialog user={user} />
    </div>
  );
}

const planText = accountMessages.plan;

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
        label={planText.storage}
        value={storageUsed}
        max={storageLimit}
        valueText={planText.used(formatBytes(storageUsed), formatBytes(storageLimit))}
      />
    </div>
  );
}

function PlanSection({ user }: { user: User }) {
  const plans = usePlans();
  const dashboard = useDashboard();
  // Doesn't use the plan cards, which show current versions only. The user may have an older version of the plan.
  const ownPlan = planOfUser(user);
  return (
    <AccountSection
      part="plan"
      state={
        <div className="flex flex-wrap gap-2">
          <Link to={paths.pricing} className={buttonStyle({ look: 'secondary' })}>
            {planText.compare}
          </Link>
          <a href={paths.billing} className={buttonStyle({ look: 'secondary' })}>
            {planText.billing}
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
                  <TitledList label={planText.features} sentences={describeFeatures(ownPlan)} />
                  <TitledList label={planText.limitations} sentences={describeLimitations(ownPlan)} isMissing />
                </div>
              </div>
            ))
        }
      </QueryView>
    </AccountSection>
  );
}

const profileText = accountMessages.profile;

const trimToNullOptions = { setValueAs: (name: string | null) => name?.trim() || null };

function ProfileSection({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const save = useResourceMutation({
    call: async (body: Partial<Pick<User, 'firstName' | 'lastName'>>) => (await api.updateProfile({ body })).data,
    onSuccess: (saved) => {
      queryClient.setQueryData(userKey, saved);
      dismissToasts();
      showToast({ title: profileText.saved });
    },
  });
  const form = useApiForm({
    schema: profileBodySchema,
    defaultValues: { firstName: user.firstName, lastName: user.lastName },
    send: save.mutateAsync,
  });
  const isDirty = fields.some(({ name }) => form.watch(name) !== user[name]);
  return (
    <AccountSection part="profile">
      <p className="text-muted text-sm">{profileText.text}</p>
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          // Compares the values instead of checking `isDirty`, because a busy page may not have rendered since the last
          // keystroke.
          if (fields.some(({ name }) => form.getValues(name) !== user[name])) void form.submit(event);
        }}
      >
        <div className="grid gap-5 sm:grid-cols-2 sm:gap-3">
          {fields.map(({ name, autoComplete }) => (
            <TextField
              key={name}
              label={profileText[name]}
              optional={profileText.optional}
              {...form.field(name, trimToNullOptions)}
              autoComplete={autoComplete}
            />
          ))}
        </div>
        {user.username !== user.email && (
          <p className="text-muted text-sm wrap-anywhere">{profileText.username(user.username)}</p>
        )}
        {form.error && <Notice kind="danger">{form.error}</Notice>}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            type="submit"
            look={isDirty ? 'primary' : 'secondary'}
            aria-disabled={!isDirty || undefined}
            pending={form.isSubmitting}
            pendingText={profileText.pending}
          >
            {profileText.submit}
          </Button>
          {isDirty && <p className="text-muted text-sm">{profileText.dirty}</p>}
        </div>
      </form>
    </AccountSection>
  );
}

const dataText = accountMessages.data;

const exportsKey = [apiRoutes.listExports.path] as const;

const pollMs = 3_000;

function ExportRow({ copy }: { copy: ExportView }) {
  const asked = formatDateTime(copy.createdAt);
  const { status, sizeBytes, downloadUrl, expiresAt } = copy;
  const facts = [
    dataText.statuses[status],
    sizeBytes !== null && formatBytes(sizeBytes),
    downloadUrl && expiresAt && dataText.until(formatDate(expiresAt)),
  ];
  return (
    <AccountListRow
      title={asked}
      facts={<ReceiptLine text={facts.filter(Boolean).join(' · ')} />}
      action={
        downloadUrl && (
          <a
            href={downloadUrl}
            download
            aria-label={dataText.downloadOf(asked)}
            className={buttonStyle({ look: 'secondary' })}
          >
            {dataText.download}
          </a>
        )
      }
    />
  );
}

function DataSection({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const exports = useQuery<ExportView[]>({
    queryKey: exportsKey,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'waiting' || status === 'running') ? pollMs : false,
    // Refetches the exports on every visit, and doesn't cache them for the next user.
    gcTime: 0,
  });
  return (
    <AccountSection part="export">
      <p className="text-muted text-sm">{dataText.text(limits.exportDays)}</p>
      <ReauthAction
        user={user}
        text={dataText}
        schema={proofBodySchema}
        call={async (body) => (await api.requestExport({ body })).data}
        onDone={() => {
          showToast(dataText.asked);
          void queryClient.invalidateQueries({ queryKey: exportsKey });
        }}
      />
      <AccountList query={exports} label={dataText.list}>
        {(copy) => <ExportRow key={copy.id} copy={copy} />}
      </AccountList>
    </AccountSection>
  );
}

const text = accountMessages.deletion;

/** Requires users to type their email address, which prevents them from deleting the wrong account. */
const deletionSchema = (email: string) =>
  proofBodySchema.extend({
    typed: z.string().refine((typed) => typed.trim().toLowerCase() === email.toLowerCase(), text.typed),
  });

/** Shown until the deletion is requested. After that, a banner on every page offers to keep the account. */
function DeletionSection({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <AccountSection part="delete" danger>
      <p className="text-muted text-sm">{text.text(limits.deletionDays)}</p>
      <Button look="danger" className="justify-self-start" onClick={() => setIsOpen(true)}>
        {text.open}
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title={text.ask} description={text.text(limits.deletionDays)}>
        <ReauthForm
          user={user}
          text={text}
          look="danger"
          schema={deletionSchema(user.email)}
          defaultValues={{ typed: '' }}
          fields={(field) => (
            <TextField label={formatConfirmPrompt(user.email)} {...field('typed')} {...exactInput} required />
          )}
          call={async ({ typed: _, ...body }) => (await api.deleteAccount({ body })).data}
          onDone={({ deletesAt }) => {
            setIsOpen(false);
            void clearDataInAllTabs();
            queryClient.setQueryData<User | null>(userKey, (known) => known && { ...known, deletesAt });
            // Refetches the sessions, because requesting the deletion signed out the other devices.
            void queryClient.invalidateQueries({ queryKey: sessionsKey });
            showToast(text.requested(formatDateTime(deletesAt)));
          }}
          onCancel={() => setIsOpen(false)}
        />
      </Dialog>
    </AccountSection>
  );
}
