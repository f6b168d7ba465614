import { newsletterLimits } from '@uprez/contracts/policy/newsletter';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { TextArea, TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { cancel, Dialog } from '../../../ui/overlays/dialog.tsx';
import { campaignMessages } from './messages.ts';
import { PostPicker } from './post-picker.tsx';
import { useNewCampaign } from './use-new-campaign.ts';

const { create: text, fields } = campaignMessages;
const kinds = [
  { value: 'article', label: text.article },
  { value: 'written', label: text.written },
] as const;

type NewCampaignDialogProps = { post: { id: string; title: string } | undefined; onClose: () => void };

/** Asks for a post, or for a subject and a text. A press outside doesn't close it, so that no text is lost. `post`: chosen at first. */
export function NewCampaignDialog({ post, onClose }: NewCampaignDialogProps) {
  const form = useNewCampaign(post?.id);
  const kind = form.watch('kind');
  return (
    <Dialog open wide locked onOpenChange={onClose} title={text.title} description={text.text}>
      <form onSubmit={form.submit} noValidate className="grid min-w-0 gap-5">
        <Segmented
          legend={text.kind}
          options={kinds}
          value={kind}
          onChange={(next) => {
            form.clearErrors();
            form.change({ kind: next });
          }}
        />
        {kind === 'article' ? (
          <PostPicker
            title={post?.title ?? ''}
            value={form.watch('articleId')}
            onChange={(articleId) => form.change({ articleId })}
            error={form.errorOf('articleId')}
          />
        ) : (
          <>
            <TextField
              label={fields.subject}
              {...form.field('subject')}
              maxLength={newsletterLimits.subjectLength}
              autoComplete="off"
            />
            <TextArea
              label={fields.text}
              hint={fields.textHint}
              rows={12}
              spellCheck
              {...form.field('text')}
              style={{ fontFamily: 'var(--font-mono)' }}
            />
          </>
        )}
        {form.error && <Notice kind="danger">{form.error}</Notice>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="secondary" onClick={onClose}>
            {cancel}
          </Button>
          <Button type="submit" pending={form.isSubmitting} pendingText={text.pending}>
            {text.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
