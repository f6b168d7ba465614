import type { CampaignKind } from '@uprez/contracts/policy/newsletter';
import { createCampaignBodySchema, type NewCampaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import { useNavigate } from 'react-router';
import * as z from 'zod';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { adminApi } from '../admin-api.ts';
import { campaignPath } from '../frame/campaign-path.ts';
import { campaignMessages } from './messages.ts';
import { campaignsKey } from './queries.ts';

const text = campaignMessages.create;

type NewCampaignValues = {
  kind: Exclude<CampaignKind, 'incident'>;
  /** The ID of a post, or empty. */
  articleId: string;
  subject: string;
  text: string;
};

const toBody = ({ kind, articleId, subject, text: content }: NewCampaignValues): NewCampaign =>
  kind === 'article' ? { articleId } : { subject, text: content };

const schema = z
  .custom<NewCampaignValues>(() => true)
  .refine(({ kind, articleId }) => kind === 'written' || articleId !== '', {
    path: ['articleId'],
    error: text.missingPost,
  })
  .transform(toBody)
  .pipe(createCampaignBodySchema);

/** The form of a new campaign, which is opened once it is created. `articleId`: the post that is chosen at first. */
export function useNewCampaign(articleId = '') {
  const navigate = useNavigate();
  const create = useResourceMutation({
    call: async (values: NewCampaignValues) => (await adminApi.adminCreateCampaign({ body: toBody(values) })).data,
    invalidates: [campaignsKey],
  });
  return useApiForm<NewCampaignValues>({
    schema,
    defaultValues: { kind: 'article', articleId, subject: '', text: '' },
    send: async (values) => {
      const { id } = await create.mutateAsync(values);
      showToast({ title: text.done });
      // The address of a campaign for a post would open the dialog again.
      await navigate(campaignPath(id), { replace: articleId !== '' });
    },
  });
}
