import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import type { Subscriber } from '@uprez/contracts/schemas/newsletter/subscribers';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ConfirmCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { NewsletterTabs } from '../frame/page-tabs.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';
import { SubscriberBadge, TopicsCell } from './cells.tsx';
import { subscriberMessages as text } from './messages.ts';
import { subscribersKey } from './queries.ts';

export const SubscribersPage = () => (
  <AdminPage title={text.title} subtitle={text.subtitle}>
    <NewsletterTabs />
    <SubscriberList />
  </AdminPage>
);

const { columns: names } = text;
const columns: Column<Subscriber, ColumnOf<'subscribers'>>[] = [
  {
    id: 'subscriber',
    name: names.subscriber,
    cell: ({ email }) => <span className="font-medium wrap-anywhere">{email}</span>,
  },
  { id: 'state', name: names.state, cell: SubscriberBadge },
  { id: 'topics', name: names.topics, cell: TopicsCell },
  {
    id: 'source',
    name: names.source,
    cell: ({ source }) => <span className="text-muted text-xs">{source ? text.sources[source] : text.none}</span>,
  },
  {
    id: 'confirmed',
    name: names.confirmed,
    cell: ({ confirmedAt }) => (confirmedAt ? <TimeCell at={confirmedAt} /> : text.none),
  },
  { id: 'created', name: names.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

const filterTexts = { ...text.filters, state: { ...text.filters.state, names: text.states } };

function SubscriberList() {
  const mayManage = useHasPermission('content.manage');
  const [removed, setRemoved] = useState<Subscriber>();
  const table = useTable(tables.subscribers, { load: adminApi.adminListSubscribers });
  const menuOf = (subscriber: Subscriber) => {
    const remove = { label: text.remove, icon: Trash2, danger: true, onSelect: () => setRemoved(subscriber) };
    return <ActionsMenu label={adminMessages.table.actions(subscriber.email)} items={[remove]} />;
  };
  return (
    <>
      <DataTable
        text={text}
        filterTexts={filterTexts}
        table={table}
        columns={columns}
        actions={mayManage ? menuOf : undefined}
      />
      {removed && <RemoveSubscriberDialog subscriber={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

type RemoveSubscriberDialogProps = { subscriber: Subscriber; onClose: () => void };

const RemoveSubscriberDialog = ({ subscriber: { id, email }, onClose }: RemoveSubscriberDialogProps) => (
  <ConfirmCallDialog
    text={{ ...text.removeDialog, text: text.removeDialog.text(email) }}
    call={() => adminApi.adminDeleteSubscriber({ params: { id } })}
    refreshes={[subscribersKey]}
    failed={text.failed}
    done={text.removed}
    onClose={onClose}
  />
);
