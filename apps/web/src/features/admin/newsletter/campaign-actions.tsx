import { useQueryClient } from '@tanstack/react-query';
import type { Campaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import { useState } from 'react';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { adminApi } from '../admin-api.ts';
import { useMay } from '../frame/use-may.ts';
import { useOwnUser } from '../frame/use-own-user.ts';
import { type CampaignDialog, CampaignDialogs } from './campaign-dialogs.tsx';
import { campaignMessages as text } from './messages.ts';
import { campaignKey } from './queries.ts';
import { type Step, useCampaignSteps } from './use-campaign-steps.ts';

/** Sends the campaign to the administrator only. */
function TestButton({ id, disabled }: { id: string; disabled: boolean }) {
  const test = useResourceMutation({
    call: async () => (await adminApi.adminTestCampaign({ params: { id } })).data,
    errorTitle: text.test.failed,
    onSuccess: ({ to }) => showToast({ title: text.test.done(to) }),
  });
  const isConfirmed = useOwnUser()?.emailVerified;
  const send = () => {
    // Addresses that were never confirmed get no emails but the one that confirms them.
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
  /** Whether the text has changes that aren't saved. */
  isDirty: boolean;
};

/** What an administrator may do with a campaign in its state. */
export function CampaignActions({ campaign, isDirty }: CampaignActionsProps) {
  const queryClient = useQueryClient();
  const { id, state, recipients } = campaign;
  const [mayEdit, maySend] = [useMay('content.manage'), useMay('newsletter.send')];
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
    // How many people get it may have changed since the page was opened.
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
