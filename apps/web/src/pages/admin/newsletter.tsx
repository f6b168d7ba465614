import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { CampaignList } from '../../features/admin/newsletter/campaign-list.tsx';
import { campaignMessages as text } from '../../features/admin/newsletter/messages.ts';
import { NewCampaignDialog } from '../../features/admin/newsletter/new-campaign-dialog.tsx';
import { NewsletterTabs } from '../../features/admin/newsletter/newsletter-tabs.tsx';
import { Button } from '../../ui/controls/button.tsx';

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
