import { type CampaignKind, newsletterLimits } from '@uprez/contracts/policy/newsletter';
import { createCampaignBodySchema, type NewCampaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import { useNavigate } from 'react-router';
import * as z from 'zod';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { TextArea, TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { cancel, Dialog } from '../../../ui/overlays/dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { campaignPath } from '../frame/campaign-path.ts';
import { campaignMessages } from './messages.ts';
import { PostPicker } from './post-picker.tsx';
import { campaignsKey } from './queries.ts';

const createText = campaignMessages.create;

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
    error: createText.missingPost,
  })
  .transform(toBody)
  .pipe(createCampaignBodySchema);

/** The form of a new campaign, which is opened once it is created. `articleId`: the post that is chosen at first. */
function useNewCampaign(articleId = '') {
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
      showToast({ title: createText.done });
      // The address of a campaign for a post would open the dialog again.
      await navigate(campaignPath(id), { replace: articleId !== '' });
    },
  });
}

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
