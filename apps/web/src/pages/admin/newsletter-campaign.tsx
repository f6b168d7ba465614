import type { Campaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { MissingPage } from '../../features/admin/frame/missing-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { CampaignActions } from '../../features/admin/newsletter/campaign-actions.tsx';
import { CampaignDetails } from '../../features/admin/newsletter/campaign-details.tsx';
import { CampaignPreview } from '../../features/admin/newsletter/campaign-preview.tsx';
import { EditCard } from '../../features/admin/newsletter/edit-card.tsx';
import { FailuresCard } from '../../features/admin/newsletter/failures-card.tsx';
import { campaignMessages as text } from '../../features/admin/newsletter/messages.ts';
import { useCampaign } from '../../features/admin/newsletter/queries.ts';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { linkStyle } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';

const isWaiting = ({ state }: Campaign) => state === 'draft' || state === 'scheduled';

/** One campaign: its text, its figures, and what an administrator may do with it. */
export function CampaignPage() {
  const { id = '' } = useParams();
  const query = useCampaign(id);
  const mayManage = useMay('content.manage');
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
