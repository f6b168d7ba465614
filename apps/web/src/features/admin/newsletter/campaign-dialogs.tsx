import type { Campaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { useNavigate } from 'react-router';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { ScheduleDialog } from '../schedule/schedule-dialog.tsx';
import { campaignMessages as text } from './messages.ts';
import type { useCampaignSteps } from './use-campaign-steps.ts';

export type CampaignDialog = 'send' | 'schedule' | 'cancel' | 'remove';

/** Asks before a draft is deleted. Its page is left first, because it would read the campaign again. */
function RemoveDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useResourceMutation({
    call: async () => void (await adminApi.adminDeleteCampaign({ params: { id } })),
    errorTitle: text.failed,
    onSuccess: () => {
      showToast({ title: text.remove.done });
      void navigate(adminPages.campaigns);
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      {...{ title: text.remove.title, text: text.remove.text, confirm: text.remove.confirm }}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    />
  );
}

type CampaignDialogsProps = {
  dialog: CampaignDialog | undefined;
  campaign: Campaign;
  steps: ReturnType<typeof useCampaignSteps>;
  onClose: () => void;
};

/** The dialog of a step. */
export function CampaignDialogs({ dialog, campaign, steps, onClose }: CampaignDialogsProps) {
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
