import { useQueryClient } from '@tanstack/react-query';
import { newsletterLimits } from '@uprez/contracts/policy/newsletter';
import type { Campaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { formatCount } from '@uprez/contracts/texts/format';
import { incidentPath } from '@uprez/contracts/texts/site/pages';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { ArticleHtml } from '../../../ui/article/article-html.tsx';
import { Button, buttonStyle, linkStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConfirmCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage, MissingPage } from '../frame/admin-page.tsx';
import { postPath } from '../frame/admin-paths.ts';
import { useHasPermission, useOwnUser } from '../frame/use-own-user.ts';
import { TimeCell } from '../payments/cells.tsx';
import { ScheduleDialog } from '../schedule/schedule-dialog.tsx';
import { type PlainColumn, PlainTable } from '../users/plain-table.tsx';
import { CampaignDetails } from './campaign-details.tsx';
import { EditCard } from './edit-card.tsx';
import { campaignMessages, campaignMessages as text } from './messages.ts';
import { campaignKey, campaignsKey, useCampaign } from './queries.ts';

export function CampaignPage() {
  const { id = '' } = useParams();
  const query = useCampaign(id);
  const mayManage = useHasPermission('content.manage');
  const [isDirty, setDirty] = useState(false);
  if (hasErrorCode(query.error, 'campaign_not_found'))
    return <MissingPage text={text.notFound} list={adminPages.campaigns} />;
  const campaign = query.data;
  return (
    <AdminPage
      title={campaign?.subject ?? text.loading}
      subtitle={campaign ? text.kinds[campaign.kind] : ''}
      actions={campaign && <CampaignActions key={campaign.id} campaign={campaign} isDirty={isDirty} />}
    >
      <Link to={adminPages.campaigns} className={`${linkStyle} justify-self-start px-0!`}>
        {text.notFound.back}
      </Link>
      {campaign && isWaiting(campaign) && campaign.recipients === 0 && <Notice kind="info">{text.send.nobody}</Notice>}
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(found) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <div className="grid content-start gap-4 max-lg:order-2">
              {mayManage && found.state === 'draft' && <EditCard key={found.id} campaign={found} onDirty={setDirty} />}
              <CampaignPreview campaign={found} />
              {found.failures.length > 0 && <FailuresCard campaign={found} />}
            </div>
            <div className="grid content-start">
              <CampaignDetails campaign={found} />
            </div>
          </div>
        )}
      </QueryView>
    </AdminPage>
  );
}

const previewText = campaignMessages.preview;

const previewLinkStyle = buttonStyle({ look: 'secondary', className: 'justify-self-start' });

/** `article` is null if the post was deleted. */
function ArticlePreview({ article }: Pick<Campaign, 'article'>) {
  if (!article) return <Notice kind="warning">{previewText.deleted}</Notice>;
  return (
    <>
      {!article.isPublished && <Notice kind="warning">{previewText.hidden}</Notice>}
      <div className="grid gap-1">
        <p className="font-medium wrap-anywhere">{article.title}</p>
        {article.excerpt && <p className="text-muted text-sm wrap-anywhere">{article.excerpt}</p>}
      </div>
      <p className="text-muted text-xs">{previewText.readMore}</p>
      <Link to={postPath(article.id)} className={previewLinkStyle}>
        {previewText.openPost}
      </Link>
    </>
  );
}

const CampaignPreview = ({ campaign: { kind, html, article, incident } }: { campaign: Campaign }) => (
  <Card title={previewText.title}>
    {kind === 'article' && <ArticlePreview article={article} />}
    {kind === 'written' && <ArticleHtml html={html} />}
    {kind === 'incident' && !incident && <p className="text-muted text-sm">{previewText.incidentDeleted}</p>}
    {incident && (
      <Link to={incidentPath(incident.id)} className={previewLinkStyle}>
        {previewText.incident}
      </Link>
    )}
  </Card>
);

const isWaiting = ({ state }: Campaign) => state === 'draft' || state === 'scheduled';

/** Sends the campaign to the administrator only. */
function TestButton({ id, disabled }: { id: string; disabled: boolean }) {
  const test = useResourceMutation({
    call: async () => (await adminApi.adminTestCampaign({ params: { id } })).data,
    errorTitle: text.test.failed,
    onSuccess: ({ to }) => showToast({ title: text.test.done(to) }),
  });
  const isConfirmed = useOwnUser()?.emailVerified;
  const send = () => {
    // Unconfirmed email addresses receive only the confirmation email.
    if (isConfirmed) test.mutate();
    else showToast({ title: text.test.failed, description: text.test.unconfirmed, destructive: true });
  };
  return (
    <Button look="secondary" pending={test.isPending} disabled={disabled} onClick={send}>
      {text.test.submit}
    </Button>
  );
}

type CampaignActionsProps = {
  campaign: Campaign;
  isDirty: boolean;
};

function CampaignActions({ campaign, isDirty }: CampaignActionsProps) {
  const queryClient = useQueryClient();
  const { id, state, recipients } = campaign;
  const [mayEdit, maySend] = [useHasPermission('content.manage'), useHasPermission('newsletter.send')];
  const [dialog, setDialog] = useState<CampaignDialog>();
  const close = () => setDialog(undefined);
  const steps = useCampaignSteps(campaign, close);
  const isBefore = state === 'draft' || state === 'scheduled';
  const stepButton = (step: Step & ('pause' | 'resume' | 'unschedule'), look?: 'secondary') => (
    <Button
      look={look}
      pending={steps.isPending && steps.variables.step === step}
      disabled={steps.isPending}
      onClick={() => steps.mutate({ step })}
    >
      {text[step].submit}
    </Button>
  );
  const open = (opened: CampaignDialog) => {
    // Refetches the campaign, because its recipients may have changed since the page was opened.
    if (opened === 'send') void queryClient.invalidateQueries({ queryKey: campaignKey(id) });
    setDialog(opened);
  };
  const dialogButton = (label: string, opened: CampaignDialog, look?: 'secondary' | 'danger') => (
    <Button look={look} disabled={isDirty || (opened === 'send' && recipients === 0)} onClick={() => open(opened)}>
      {label}
    </Button>
  );
  return (
    <div className="flex flex-wrap gap-2">
      {mayEdit && state === 'draft' && dialogButton(text.remove.submit, 'remove', 'danger')}
      {mayEdit && isBefore && <TestButton id={id} disabled={isDirty} />}
      {maySend && (
        <>
          {state === 'scheduled' && stepButton('unschedule', 'secondary')}
          {isBefore &&
            dialogButton(state === 'draft' ? text.schedule.submit : text.schedule.change, 'schedule', 'secondary')}
          {isBefore && dialogButton(text.send.submit, 'send')}
          {(state === 'sending' || state === 'paused') && dialogButton(text.cancel.submit, 'cancel', 'danger')}
          {state === 'sending' && stepButton('pause', 'secondary')}
          {state === 'paused' && stepButton('resume')}
        </>
      )}
      <CampaignDialogs dialog={dialog} campaign={campaign} steps={steps} onClose={close} />
    </div>
  );
}

type CampaignDialog = 'send' | 'schedule' | 'cancel' | 'remove';

/** Confirms deleting a draft. Leaves the page afterward, because staying would refetch the deleted campaign. */
function RemoveDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <ConfirmCallDialog
      text={text.remove}
      call={() => adminApi.adminDeleteCampaign({ params: { id } })}
      failed={text.failed}
      done={text.remove.done}
      onClose={onClose}
      onDone={() => void navigate(adminPages.campaigns)}
    />
  );
}

type CampaignDialogsProps = {
  dialog: CampaignDialog | undefined;
  campaign: Campaign;
  steps: ReturnType<typeof useCampaignSteps>;
  onClose: () => void;
};

function CampaignDialogs({ dialog, campaign, steps, onClose }: CampaignDialogsProps) {
  const { id, subject, recipients, pending, sendAt } = campaign;
  const shared = { open: true, onOpenChange: onClose, pending: steps.isPending };
  switch (dialog) {
    case 'send':
      return (
        <ConfirmDialog
          {...shared}
          title={text.send.title}
          text={text.send.text(subject)}
          confirm={text.send.confirm(recipients)}
          onConfirm={() => steps.mutate({ step: 'send' })}
        />
      );
    case 'schedule':
      return (
        <ScheduleDialog
          names={text.schedule.dialog}
          chosenAt={sendAt}
          isPending={steps.isPending}
          onSchedule={(at) => steps.mutate({ step: 'schedule', sendAt: at })}
          onClose={onClose}
        />
      );
    case 'cancel':
      return (
        <ConfirmDialog
          {...shared}
          title={text.cancel.title}
          text={text.cancel.text(pending)}
          confirm={text.cancel.confirm}
          keep={text.cancel.keep}
          onConfirm={() => steps.mutate({ step: 'cancel' })}
        />
      );
    case 'remove':
      return <RemoveDialog id={id} onClose={onClose} />;
    default:
      return null;
  }
}

type Step = 'send' | 'schedule' | 'unschedule' | 'pause' | 'resume' | 'cancel';

type StepInput = { step: Step; sendAt?: string };

async function takeStep({ id, version }: Campaign, { step, sendAt = '' }: StepInput): Promise<Campaign> {
  const params = { id };
  switch (step) {
    case 'send':
      return (await adminApi.adminSendCampaign({ params, body: { version } })).data;
    case 'schedule':
      return (await adminApi.adminScheduleCampaign({ params, body: { version, sendAt } })).data;
    case 'pause':
      return (await adminApi.adminPauseCampaign({ params })).data;
    case 'resume':
      return (await adminApi.adminResumeCampaign({ params })).data;
    default:
      return (await adminApi.adminCancelCampaign({ params })).data;
  }
}

/**
 * Mutation that sends, schedules, pauses, resumes, or cancels a campaign. Refetches the campaign afterward, even if the
 * step is rejected. Calls `onDone` only after a successful step.
 */
function useCampaignSteps(campaign: Campaign, onDone: () => void) {
  const queryClient = useQueryClient();
  return useResourceMutation({
    call: (input: StepInput) => takeStep(campaign, input),
    invalidates: [campaignsKey],
    errorTitle: text.failed,
    onSuccess: (after, { step }) => {
      queryClient.setQueryData(campaignKey(campaign.id), after);
      showToast({ title: text[step].done });
      onDone();
    },
  });
}

const failuresText = text.failures;

const columns: PlainColumn<Campaign['failures'][number]>[] = [
  {
    name: failuresText.email,
    cell: ({ email }) =>
      email === null ? (
        <span className="text-muted">{failuresText.deleted}</span>
      ) : (
        <span className="font-medium">{email}</span>
      ),
  },
  { name: failuresText.reason, cell: ({ reason }) => reason },
  { name: failuresText.attempts, cell: ({ attempts }) => formatCount(attempts) },
  { name: failuresText.at, cell: ({ at }) => <TimeCell at={at} /> },
];

const FailuresCard = ({ campaign: { failures, failed } }: { campaign: Campaign }) => (
  <Card title={failuresText.title}>
    {failed > newsletterLimits.failures && <p className="text-muted text-sm">{failuresText.latest}</p>}
    <PlainTable
      caption={failuresText.caption}
      columns={columns}
      rows={failures}
      rowKey={({ email, at }) => `${at} ${email}`}
    />
  </Card>
);
