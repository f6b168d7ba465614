import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import { limits } from '@uprez/contracts/policy/limits';
import { type CampaignKind, newsletterLimits } from '@uprez/contracts/policy/newsletter';
import {
  type CampaignRow,
  createCampaignBodySchema,
  type NewCampaign,
} from '@uprez/contracts/schemas/newsletter/campaigns';
import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useDebounced } from '../../../lib/browser/use-debounced.ts';
import { formatDate } from '../../../lib/format/format.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { TextArea, TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { cancelLabel, Dialog } from '../../../ui/overlays/dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { campaignPath } from '../frame/admin-paths.ts';
import { NewsletterTabs } from '../frame/page-tabs.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { TimeCell } from '../payments/cells.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';
import { CampaignBadge, CountCell, StartCell, SubjectCell } from './cells.tsx';
import { campaignMessages, campaignMessages as text } from './messages.ts';
import { campaignsKey, usePublishedPosts } from './queries.ts';

type NewCampaignValues = {
  kind: Exclude<CampaignKind, 'incident'>;
  /** ID of the post, or empty for a campaign without one. */
  articleId: string;
  subject: string;
  text: string;
};

const toBody = ({ kind, articleId, subject, text: content }: NewCampaignValues): NewCampaign =>
  kind === 'article' ? { articleId } : { subject, text: content };

export function CampaignsPage() {
  const mayManage = useHasPermission('content.manage');
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

const createText = campaignMessages.create;

const debounceMs = 300;

type PostPickerProps = { title: string; value: string; onChange: (id: string) => void; error: string | undefined };

/** Offers the latest posts, or the posts that match a search. `title`: the initial search term. */
function PostPicker({ title, value, onChange, error }: PostPickerProps) {
  const id = useId();
  const [typed, setTyped] = useState(title);
  const query = usePublishedPosts(useDebounced(typed.trim(), debounceMs));
  return (
    <div className="grid gap-3">
      <TextField
        label={createText.search}
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        // Prevents Enter in the search field from submitting the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        maxLength={limits.searchLength}
        autoComplete="off"
      />
      <fieldset aria-describedby={error && id}>
        <legend className="sr-only">{createText.posts}</legend>
        <QueryView
          query={query}
          skeleton={<Skeleton className="h-40" />}
          empty={<p className="py-6 text-center text-muted text-sm">{createText.noPosts}</p>}
        >
          {(posts) => (
            <div className="grid max-h-72 divide-y divide-line overflow-y-auto rounded-control border border-line">
              {posts.map((post) => (
                <label
                  key={post.id}
                  className="flex min-h-11 items-center gap-3 px-3 py-2 text-sm -outline-offset-2 hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-focus"
                >
                  <input
                    type="radio"
                    name={id}
                    checked={post.id === value}
                    onChange={() => onChange(post.id)}
                    className="size-4 shrink-0 accent-accent"
                  />
                  <span className="min-w-0 flex-1 wrap-anywhere">{post.title}</span>
                  {post.publishedAt && (
                    <span className="shrink-0 text-muted text-xs">{formatDate(post.publishedAt)}</span>
                  )}
                </label>
              ))}
            </div>
          )}
        </QueryView>
        {error && (
          <p id={id} className="mt-1.5 text-danger text-sm">
            {error}
          </p>
        )}
      </fieldset>
    </div>
  );
}

const schema = z
  .custom<NewCampaignValues>(() => true)
  .refine(({ kind, articleId }) => kind === 'written' || articleId !== '', {
    path: ['articleId'],
    error: createText.missingPost,
  })
  .transform(toBody)
  .pipe(createCampaignBodySchema);

/** Opens the campaign once it is created. `articleId`: ID of the initially selected post. */
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
      // Replaces a URL that names a post, because going back to it would reopen the dialog.
      await navigate(campaignPath(id), { replace: articleId !== '' });
    },
  });
}

const { create: newCampaignText, fields } = campaignMessages;

const kinds = [
  { value: 'article', label: newCampaignText.article },
  { value: 'written', label: newCampaignText.written },
] as const;

type NewCampaignDialogProps = { post: { id: string; title: string } | undefined; onClose: () => void };

/** Clicking outside doesn't close the dialog, so no text is lost. `post`: the initially selected post. */
function NewCampaignDialog({ post, onClose }: NewCampaignDialogProps) {
  const form = useNewCampaign(post?.id);
  const kind = form.watch('kind');
  return (
    <Dialog open wide locked onOpenChange={onClose} title={newCampaignText.title} description={newCampaignText.text}>
      <form onSubmit={form.submit} noValidate className="grid min-w-0 gap-5">
        <Segmented
          legend={newCampaignText.kind}
          options={kinds}
          value={kind}
          onChange={(next) => {
            form.clearErrors();
            form.change({ kind: next });
          }}
        />
        {kind === 'article' ? (
          <PostPicker title={post?.title ?? ''} {...form.choice('articleId')} error={form.errorOf('articleId')} />
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
            {cancelLabel}
          </Button>
          <Button type="submit" pending={form.isSubmitting} pendingText={newCampaignText.pending}>
            {newCampaignText.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/**
 * Returns the post that the URL names, and a function that removes it from the URL. The post editor links to such URLs.
 */
function useChosenPost() {
  const [params, setParams] = useSearchParams();
  const [id, title] = [params.get('post'), params.get('title') ?? ''];
  const close = () => {
    if (id) setParams({}, { replace: true });
  };
  return { post: id ? { id, title } : undefined, close };
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

function CampaignList() {
  const navigate = useNavigate();
  const table = useTable(tables.campaigns, { load: adminApi.adminListCampaigns });
  return (
    <DataTable
      text={text}
      filterTexts={filterTexts}
      table={table}
      columns={columns}
      onOpen={({ id }) => navigate(campaignPath(id))}
    />
  );
}
