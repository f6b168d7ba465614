import { newsletterLimits } from '@uprez/contracts/policy/newsletter';
import type { Campaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import { useEffect } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { TextArea, TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { campaignMessages } from './messages.ts';
import { useCampaignForm } from './use-campaign-form.ts';

const { edit: text, fields } = campaignMessages;

type EditCardProps = { campaign: Campaign; onDirty: (isDirty: boolean) => void };

/** Edits the subject of a draft, and the text of a written one. */
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
