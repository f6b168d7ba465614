import { useQueryClient } from '@tanstack/react-query';
import { newsletterLimits } from '@uprez/contracts/policy/newsletter';
import { type Campaign, updateCampaignBodySchema } from '@uprez/contracts/schemas/newsletter/campaigns';
import { useEffect, useState } from 'react';
import * as z from 'zod';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextArea, TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { campaignMessages } from './messages.ts';
import { campaignKey, campaignsKey } from './queries.ts';

const { edit: text, fields } = campaignMessages;

type EditCardProps = { campaign: Campaign; onDirty: (isDirty: boolean) => void };

export function EditCard({ campaign, onDirty }: EditCardProps) {
  const form = useCampaignForm(campaign);
  const { isDirty } = form.formState;
  useEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
  return (
    <Card title={text.title}>
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <TextField
          label={fields.subject}
          {...form.field('subject')}
          maxLength={newsletterLimits.subjectLength}
          autoComplete="off"
        />
        {campaign.kind === 'written' && (
          <TextArea
            label={fields.text}
            hint={fields.textHint}
            rows={14}
            spellCheck
            {...form.field('text')}
            style={{ fontFamily: 'var(--font-mono)' }}
          />
        )}
        {form.error && <Notice kind="danger">{form.error}</Notice>}
        {isDirty && (
          <>
            <p role="status" className="text-muted text-sm">
              {text.unsaved}
            </p>
            <div className="flex flex-wrap gap-2">
              <Button type="submit" pending={form.isSubmitting} pendingText={text.pending}>
                {text.save}
              </Button>
              <Button look="secondary" disabled={form.isSubmitting} onClick={() => form.reset()}>
                {text.discard}
              </Button>
            </div>
          </>
        )}
      </form>
    </Card>
  );
}

type Values = { subject: string; text: string };

const { shape } = updateCampaignBodySchema;

const writtenSchema = z.object({ subject: shape.subject.unwrap(), text: shape.text.unwrap() });

/** Accepts any text, because campaigns for a post use the text of the post. */
const articleSchema = writtenSchema.extend({ text: z.string() });

/** Changes by other administrators don't replace values that are being edited. */
function useCampaignForm(campaign: Campaign) {
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
