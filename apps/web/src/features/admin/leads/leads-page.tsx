import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import { billingIntervals } from '@uprez/contracts/policy/billing/billing';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { type AdminLead, inviteLeadBodySchema } from '@uprez/contracts/schemas/billing/admin-payments';
import { formatDay } from '@uprez/contracts/texts/format';
import { intervalTexts } from '@uprez/contracts/texts/plans';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { StatusCell, TimeCell } from '../payments/cells.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';

const plan = currentPlans.enterprise.name;
const text = {
  title: `${plan} leads`,
  subtitle: `${plan} inquiries and checkout links`,
  caption: 'Leads',
  search: 'Search by name, email, or company',
  lead: 'Lead',
  volume: 'Images per month',
  status: 'Status',
  created: 'Created',
  sent: (interval: 'month' | 'year', at: string) => `${intervalTexts[interval].label}, ${formatDay(at)}`,
  empty: { title: 'No leads yet', text: 'Inquiries from the pricing page appear here.' },
  invite: 'Send link to an email address',
  send: 'Send checkout link',
  sendAgain: 'Send another link',
  link: {
    title: 'Send checkout link',
    to: (email: string) => `Send checkout link to ${email}`,
    text: `The email links to the ${plan} checkout. Only the account with this email address can use it.`,
    email: 'Email',
    interval: 'Billing interval',
    noMessage: 'No message',
    submit: 'Send link',
    pending: 'Sending...',
    done: 'Checkout link sent',
  },
} as const;

const columns: Column<AdminLead, ColumnOf<'leads'>>[] = [
  {
    id: 'lead',
    name: text.lead,
    cell: ({ name, email, company }) => (
      <span className="grid">
        <span className="font-medium">{name || email}</span>
        <span className="text-muted text-xs">{[name && email, company].filter(Boolean).join(', ')}</span>
      </span>
    ),
  },
  { id: 'volume', name: text.volume, cell: ({ volume }) => <span className="text-muted text-xs">{volume}</span> },
  {
    id: 'status',
    name: text.status,
    cell: ({ state, link }) => <StatusCell status={state} note={link && text.sent(link.interval, link.sentAt)} />,
  },
  { id: 'created', name: text.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

/** `lead` is null if the administrator enters an email address instead. */
type Recipient = { lead: AdminLead | null };

export function LeadsPage() {
  const mayManage = useHasPermission('payments.manage');
  const table = useTable(tables.leads, { load: adminApi.adminListLeads });
  const [recipient, setRecipient] = useState<Recipient>();
  const inviteButton = <Button onClick={() => setRecipient({ lead: null })}>{text.invite}</Button>;
  const menuOf = (lead: AdminLead) => {
    const label = lead.link ? text.sendAgain : text.send;
    const send = { label, icon: Mail, onSelect: () => setRecipient({ lead }) };
    return <ActionsMenu label={adminMessages.table.actions(lead.email)} items={[send]} />;
  };
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayManage && inviteButton}>
      <DataTable text={text} table={table} columns={columns} actions={mayManage ? menuOf : undefined} />
      {recipient && <LinkDialog lead={recipient.lead ?? undefined} onClose={() => setRecipient(undefined)} />}
    </AdminPage>
  );
}

const linkText = text.link;

const intervals = billingIntervals.map((value) => ({ value, label: intervalTexts[value].label }));

const LeadMessage = ({ lead }: { lead: AdminLead }) => (
  <p className="max-h-48 overflow-y-auto whitespace-pre-line rounded-control bg-sunken p-3 text-sm wrap-anywhere">
    {lead.message || <span className="text-muted">{linkText.noMessage}</span>}
  </p>
);

const LinkDialog = ({ lead, onClose }: { lead?: AdminLead | undefined; onClose: () => void }) => (
  <FormCallDialog
    text={{ ...linkText, title: lead ? linkText.to(lead.email) : linkText.title }}
    schema={inviteLeadBodySchema}
    initial={{ email: lead?.email ?? '', interval: lead?.link?.interval ?? 'month' }}
    fields={[
      lead ? <LeadMessage lead={lead} /> : { name: 'email', label: linkText.email, type: 'email', autoComplete: 'off' },
      { kind: 'segmented', name: 'interval', label: linkText.interval, options: intervals },
    ]}
    call={async ({ email, interval }) =>
      lead
        ? (await adminApi.adminSendCheckoutLink({ params: { id: lead.id }, body: { interval } })).data
        : (await adminApi.adminInviteLead({ body: { email, interval } })).data
    }
    refreshes={[[adminRoutes.adminListLeads.path]]}
    done={({ email }) => ({ title: linkText.done, description: email })}
    onClose={onClose}
  />
);
