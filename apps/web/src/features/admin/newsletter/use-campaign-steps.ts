import { useQueryClient } from '@tanstack/react-query';
import type { Campaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { adminApi } from '../admin-api.ts';
import { campaignMessages as text } from './messages.ts';
import { campaignKey, campaignsKey } from './queries.ts';

export type Step = 'send' | 'schedule' | 'unschedule' | 'pause' | 'resume' | 'cancel';
type StepInput = { step: Step; sendAt?: string };

/** Takes a step, and returns the campaign after it. */
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

/** Steps of a campaign. After each one, also a rejected one, the campaign is read again. `onDone`: after those that worked. */
export function useCampaignSteps(campaign: Campaign, onDone: () => void) {
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
