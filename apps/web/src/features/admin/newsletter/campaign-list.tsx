import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { campaignKinds, campaignSorts, campaignStates } from '@uprez/contracts/policy/newsletter';
import { type ColumnOf, tableColumns } from '@uprez/contracts/policy/tables';
import type { CampaignRow } from '@uprez/contracts/schemas/newsletter/campaigns';
import { useNavigate } from 'react-router';
import { adminApi } from '../admin-api.ts';
import { campaignPath } from '../frame/campaign-path.ts';
import { TimeCell } from '../payments/cells.tsx';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { useTable } from '../table/use-table.ts';
import { CampaignBadge, CountCell, StartCell, SubjectCell } from './cells.tsx';
import { campaignMessages as text } from './messages.ts';

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
export function CampaignList() {
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
