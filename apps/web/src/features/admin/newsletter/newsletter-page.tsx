import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { campaignKinds, campaignSorts, campaignStates } from '@uprez/contracts/policy/newsletter';
import { type ColumnOf, tableColumns } from '@uprez/contracts/policy/tables';
import type { CampaignRow } from '@uprez/contracts/schemas/newsletter/campaigns';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Button } from '../../../ui/controls/button.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { campaignPath } from '../frame/campaign-path.ts';
import { useMay } from '../frame/use-may.ts';
import { TimeCell } from '../payments/cells.tsx';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { useTable } from '../table/use-table.ts';
import { CampaignBadge, CountCell, StartCell, SubjectCell } from './cells.tsx';
import { campaignMessages as text } from './messages.ts';
import { NewCampaignDialog } from './new-campaign-dialog.tsx';
import { NewsletterTabs } from './newsletter-tabs.tsx';

/** The post that the link in its editor names. */
function useChosenPost() {
  const [params, setParams] = useSearchParams();
  const [id, title] = [params.get('post'), params.get('title') ?? ''];
  const close = () => {
    if (id) setParams({}, { replace: true });
  };
  return { post: id ? { id, title } : undefined, close };
}

/** The campaigns of the newsletter. */
export function CampaignsPage() {
  const mayManage = useMay('content.manage');
  const [isCreating, setCreating] = useState(false);
  const { post, close: leavePost } = useChosenPost();
  const close = () => {
    setCreating(false);
    leavePost();
  };
  const createButton = (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.new}
    </Button>
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayManage && createButton}>
      <NewsletterTabs />
      <CampaignList />
      {(isCreating || post) && <NewCampaignDialog post={post} onClose={close} />}
    </AdminPage>
  );
}

const { columns: names } = text;
const columns: Column<CampaignRow, ColumnOf<'campaigns'>>[] = [
  { id: 'campaign', name: names.campaign, cell: SubjectCell },
  { id: 'state', name: names.state, cell: CampaignBadge },
  {
    id: 'recipients',
    name: names.recipients,
    cell: ({ recipients }) => <CountCell count={recipients} />,
    isNumeric: true,
  },
  { id: 'sent', name: names.sent, cell: ({ sent }) => <CountCell count={sent} />, isNumeric: true },
  { id: 'failed', name: names.failed, cell: ({ failed }) => <CountCell count={failed} />, isNumeric: true },
  { id: 'starts', name: names.starts, cell: StartCell },
  { id: 'created', name: names.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

const filterTexts = {
  state: { ...text.filters.state, names: text.states },
  kind: { ...text.filters.kind, names: text.kinds },
};

/** Campaigns, the latest first. */
function CampaignList() {
  const navigate = useNavigate();
  const table = useTable({
    list: adminRoutes.adminListCampaigns,
    load: adminApi.adminListCampaigns,
    filters: { state: campaignStates, kind: campaignKinds },
    sorts: campaignSorts,
    columns: tableColumns.campaigns,
  });
  return (
    <DataTable
      caption={text.caption}
      search={text.search}
      filterTexts={filterTexts}
      table={table}
      columns={columns}
      empty={text.empty}
      onOpen={({ id }) => navigate(campaignPath(id))}
    />
  );
}
