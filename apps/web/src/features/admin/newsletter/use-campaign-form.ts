import { useQueryClient } from '@tanstack/react-query';
import { type Campaign, updateCampaignBodySchema } from '@uprez/contracts/schemas/newsletter/campaigns';
import { useEffect, useState } from 'react';
import * as z from 'zod';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { adminApi } from '../admin-api.ts';
import { campaignMessages } from './messages.ts';
import { campaignKey, campaignsKey } from './queries.ts';

type Values = { subject: string; text: string };

const { subject, text } = updateCampaignBodySchema.shape;
const writtenSchema = z.object({ subject: subject.unwrap(), text: text.unwrap() });
/** The text of a post is that of the post. */
const articleSchema = writtenSchema.extend({ text: z.string() });

/** The subject and the text of a draft. While they are edited, they aren't replaced by changes of others. */
export function useCampaignForm(campaign: Campaign) {
  const queryClient = useQueryClient();
  const { id, kind, version } = campaign;
  const isWritten = kind === 'written';
  const [seen, setSeen] = useState(version);
  const form = useApiForm<Values>({
    schema: isWritten ? writtenSchema : articleSchema,
    defaultValues: { subject: campaign.subject, text: campaign.text },
    send: async (values) => {
      const body = { version: seen, subject: values.subject, ...(isWritten && { text: values.text }) };
      const { data } = await adminApi.adminUpdateCampaign({ params: { id }, body });
      form.reset({ subject: data.subject, text: data.text });
      setSeen(data.version);
      queryClient.setQueryData(campaignKey(id), data);
      showToast({ title: campaignMessages.edit.saved });
      await queryClient.invalidateQueries({ queryKey: campaignsKey });
    },
  });
  const { reset } = form;
  const { isDirty } = form.formState;
  useEffect(() => {
    if (isDirty || version === seen) return;
    reset({ subject: campaign.subject, text: campaign.text });
    setSeen(version);
  }, [isDirty, version, seen, reset, campaign.subject, campaign.text]);
  return form;
}
