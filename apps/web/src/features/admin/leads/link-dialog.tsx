import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { billingIntervals } from '@uprez/contracts/policy/billing';
import { type AdminLead, inviteLeadBodySchema } from '@uprez/contracts/schemas/billing/admin-leads';
import { intervalTexts } from '@uprez/contracts/texts/plans';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { leadMessages } from './messages.ts';

const text = leadMessages.link;
const intervals = billingIntervals.map((value) => ({ value, label: intervalTexts[value].label }));
type Link = { email: string; interval: (typeof billingIntervals)[number] };

/** What the lead wrote. */
const LeadMessage = ({ lead }: { lead: AdminLead }) => (
  <p className="max-h-48 overflow-y-auto whitespace-pre-line rounded-control bg-sunken p-3 text-sm wrap-anywhere">
    {lead.message || <span className="text-muted">{text.noMessage}</span>}
  </p>
);

/** Sends the link to Enterprise to a lead, or to any email address. */
export function LinkDialog({ lead, onClose }: { lead?: AdminLead | undefined; onClose: () => void }) {
  const send = useResourceMutation({
    call: async ({ email, interval }: Link) =>
      lead
        ? (await adminApi.adminSendCheckoutLink({ params: { id: lead.id }, body: { interval } })).data
        : (await adminApi.adminInviteLead({ body: { email, interval } })).data,
    invalidates: [[adminRoutes.adminListLeads.path]],
  });
  const form = useApiForm({
    schema: inviteLeadBodySchema,
    defaultValues: { email: lead?.email ?? '', interval: lead?.link?.interval ?? 'month' } as Link,
    send: async (link) => {
      const { email } = await send.mutateAsync(link);
      showToast({ title: text.done, description: email });
      onClose();
    },
  });
  return (
    <FormDialog
      title={lead ? text.to(lead.email) : text.title}
      description={text.text}
      form={form}
      text={text}
      onClose={onClose}
    >
      {lead ? (
        <LeadMessage lead={lead} />
      ) : (
        <TextField label={text.email} {...form.field('email')} type="email" autoComplete="off" />
      )}
      <Segmented
        legend={text.interval}
        options={intervals}
        value={form.watch('interval')}
        onChange={(interval) => form.change({ interval })}
      />
    </FormDialog>
  );
}
