import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { may } from '@uprez/contracts/policy/admin/may';
import { imageUrls } from '@uprez/contracts/policy/images/image-urls';
import { limits } from '@uprez/contracts/policy/limits';
import {
  type ImageUrlSettings,
  imageUrlChangeSchema,
  newImageUrlSchema,
} from '@uprez/contracts/schemas/image-url-settings';
import type { User } from '@uprez/contracts/schemas/user';
import { type EventType, eventTypeNames } from '@uprez/contracts/schemas/webhook-events';
import type { V1Event } from '@uprez/contracts/v1/events';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';
import { CopyBlock, CopySecret } from '../../ui/code/copy-block.tsx';
import { Button, buttonStyle, IconButton } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { TextArea, TextField } from '../../ui/controls/text-field.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { MoreButton, QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Disclosure } from '../../ui/layout/disclosure.tsx';
import { FactGrid } from '../../ui/layout/fact-grid.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { RotationDialog } from '../../ui/overlays/form-dialog.tsx';
import { ApiKeysTab } from '../api-keys/api-keys-tab.tsx';
import { imageUrlMessages as imageUrlText } from '../image-urls/messages.ts';
import { webhookMessages } from '../webhooks/messages.ts';
import { WebhooksCard } from '../webhooks/webhooks-card.tsx';

export function DashboardApi({ user }: { user: User }) {
  const hasApi = may(planOfUser(user), { what: 'api' }).ok;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <ApiKeysTab user={user} />
      {hasApi && <ImageUrlsCard />}
      <WebhooksCard user={user} />
      {hasApi && <EventFeedCard />}
    </div>
  );
}

const text = webhookMessages.feed;
const pageRows = 20;

/** Events of the account, newest first, by page. Refetched on every visit. */
const useEventFeed = (type: EventType | undefined) =>
  useInfiniteQuery({
    queryKey: [apiRoutes.listEvents.path, type ?? ''],
    queryFn: async ({ pageParam: after, signal }) =>
      (await api.listEvents({ query: { after, type, order: 'desc', limit: pageRows }, signal })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    refetchOnMount: 'always',
  });

const every = 'every';
const options = [
  { value: every, label: text.every },
  ...eventTypeNames.map((value) => ({ value, label: value })),
] as const;

/** What an event is about: a file name, a batch id, or a meter. */
const subject = ({ data }: V1Event): string =>
  'filename' in data ? data.filename : 'batch_id' in data ? data.batch_id : 'meter' in data ? data.meter : '';

function EventRow({ event }: { event: V1Event }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="grid min-w-0 gap-1 py-2.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <code className="text-xs">{event.type}</code>
        <span className="min-w-0 text-sm wrap-anywhere">{subject(event)}</span>
        {event.sandbox && <Badge kind="neutral">{text.sandbox}</Badge>}
        <time dateTime={event.timestamp} className="text-muted text-xs">
          {formatTime(event.timestamp)}
        </time>
      </div>
      <Disclosure label={text.details} open={isOpen} onOpenChange={setIsOpen}>
        <CopyBlock code={JSON.stringify(event, null, 2)} label={text.copy} />
      </Disclosure>
    </li>
  );
}

function EventFeedCard() {
  const [chosen, setChosen] = useState<EventType | typeof every>(every);
  const query = useEventFeed(chosen === every ? undefined : chosen);
  return (
    <Card
      title={text.title}
      actions={<IconButton label={text.refresh} icon={RefreshCw} onClick={() => void query.refetch()} />}
    >
      <p className="text-muted text-sm">{text.intro}</p>
      <div className="w-52">
        <Select label={text.type} labelHidden value={chosen} onChange={setChosen} options={options} />
      </div>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-40" />}
        empty={<EmptyState {...(chosen === every ? text.empty : text.noneLike)} />}
      >
        {(events) => (
          <ul aria-label={text.list} className="divide-y divide-line border-line border-y">
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </ul>
        )}
      </QueryView>
      <MoreButton query={query} />
    </Card>
  );
}

const overlap = { default: imageUrls.overlapHours, max: imageUrls.maxOverlapHours };

type KeyProps = { settings: ImageUrlSettings; rotate: ImageUrlChanges['rotate'] };

/** The key ID and the age of the secret. */
function Key({ settings: { keyId, rotatedAt, formerUntil }, rotate }: KeyProps) {
  const [isRotating, setIsRotating] = useState(false);
  return (
    <div className="grid min-w-0 gap-4">
      <FactGrid
        facts={[
          [imageUrlText.facts.keyId, <code key="keyId">{keyId}</code>],
          [imageUrlText.facts.rotated, rotatedAt && formatTime(rotatedAt)],
          ...(formerUntil ? [[imageUrlText.facts.former, formatTime(formerUntil)] as const] : []),
        ]}
      />
      <Button look="secondary" className="justify-self-start" onClick={() => setIsRotating(true)}>
        {imageUrlText.rotate.action}
      </Button>
      {isRotating && (
        <RotationDialog
          title={imageUrlText.rotate.title}
          text={imageUrlText.rotate}
          overlap={overlap}
          rotate={rotate.mutateAsync}
          onClose={() => setIsRotating(false)}
        />
      )}
    </div>
  );
}

function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={() => {}}
      title={imageUrlText.secret.title}
      description={imageUrlText.secret.text}
      wide
      locked
    >
      <CopySecret code={secret} label={imageUrlText.secret.copy} />
      <Button className="sm:justify-self-end" onClick={onDone}>
        {imageUrlText.secret.done}
      </Button>
    </Dialog>
  );
}

/** Image URLs of an account whose plan has the API. */
function ImageUrlsCard() {
  const query = useImageUrls();
  const { secret, save, rotate, clear } = useImageUrlChanges();
  return (
    <Card title={imageUrlText.title}>
      <p className="text-muted text-sm">{imageUrlText.intro}</p>
      <QueryView query={query} skeleton={<Skeleton className="h-40" />}>
        {(settings) => (
          <>
            <SettingsForm settings={settings} save={save.mutateAsync} />
            {settings.isEnabled && settings.keyId !== null && (
              <>
                <Key settings={settings} rotate={rotate} />
                <SampleForm key={settings.hosts[0]} host={settings.hosts[0]} />
              </>
            )}
          </>
        )}
      </QueryView>
      {secret !== undefined && <Secret secret={secret} onDone={clear} />}
    </Card>
  );
}

const settingsText = imageUrlText.settings;

/** `hosts`: one per line. */
type Draft = { isEnabled: boolean; hosts: string };

const bodyOf = ({ isEnabled, hosts }: Draft): ImageUrlChange => ({
  isEnabled,
  hosts: hosts.split(/[\s,]+/).filter(Boolean),
});
const draftSchema = z
  .custom<Draft>()
  .transform((draft): z.input<typeof imageUrlChangeSchema> => bodyOf(draft))
  .pipe(imageUrlChangeSchema);

type SettingsFormProps = { settings: ImageUrlSettings; save: (body: ImageUrlChange) => Promise<void> };

/** Whether image URLs are enabled, and for which hosts. */
function SettingsForm({ settings, save }: SettingsFormProps) {
  const form = useApiForm({
    schema: draftSchema,
    defaultValues: { isEnabled: settings.isEnabled, hosts: settings.hosts.join('\n') },
    send: async (draft) => {
      await save(bodyOf(draft));
      form.reset(draft);
    },
  });
  return (
    <form onSubmit={form.submit} className="grid min-w-0 gap-5" noValidate>
      <Switch
        label={settingsText.enabled}
        checked={form.watch('isEnabled')}
        onChange={(isEnabled) => form.change({ isEnabled })}
      />
      <TextArea
        label={settingsText.hosts}
        hint={settingsText.hostsHint}
        rows={3}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        {...form.field('hosts')}
      />
      {form.error && <Notice kind="danger">{form.error}</Notice>}
      <Button
        type="submit"
        className="justify-self-start"
        disabled={!form.formState.isDirty}
        pending={form.isSubmitting}
      >
        {settingsText.submit}
      </Button>
    </form>
  );
}

const sampleText = imageUrlText.sample;

function SignedUrl({ url }: { url: string }) {
  return (
    <section aria-label={sampleText.result} className="grid min-w-0 gap-2">
      <CopyBlock code={url} label={sampleText.copy} />
      <div className="flex flex-wrap items-center gap-3">
        <a href={url} target="_blank" rel="noreferrer" className={buttonStyle({ look: 'secondary' })}>
          {sampleText.open}
        </a>
        <p className="text-muted text-sm">{sampleText.cost}</p>
      </div>
    </section>
  );
}

/** Signs a URL on the server, so that the secret stays there. `host`: an allowed one. */
function SampleForm({ host }: { host: string | undefined }) {
  const [url, setUrl] = useState<string>();
  const name = host?.replace('*.', 'images.') ?? 'images.example.com';
  const form = useApiForm({
    schema: newImageUrlSchema,
    asksBeforeLeaving: false,
    defaultValues: { imageUrl: `https://${name}/photo.jpg`, options: 'width:800,format:auto' },
    send: async (body) => {
      setUrl(undefined);
      setUrl((await api.signImageUrl({ body })).data.url);
    },
  });
  return (
    <section aria-label={sampleText.title} className="grid min-w-0 gap-4 border-line border-t pt-5">
      <h3 className="font-medium text-sm tracking-normal">{sampleText.title}</h3>
      <form onSubmit={form.submit} className="grid min-w-0 gap-4" noValidate>
        <div className="grid min-w-0 items-start gap-4 sm:grid-cols-2">
          <TextField
            label={sampleText.imageUrl}
            {...form.field('imageUrl')}
            inputMode="url"
            maxLength={limits.urlLength}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <TextField
            label={sampleText.options}
            hint={sampleText.optionsHint}
            {...form.field('options')}
            maxLength={imageUrls.optionsLength}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
        {form.error && <Notice kind="danger">{form.error}</Notice>}
        <Button
          type="submit"
          look="secondary"
          className="justify-self-start"
          pending={form.isSubmitting}
          pendingText={sampleText.pending}
        >
          {sampleText.submit}
        </Button>
      </form>
      {url !== undefined && <SignedUrl url={url} />}
    </section>
  );
}

const imageUrlsKey = [apiRoutes.getImageUrls.path] as const;

const useImageUrls = () => useQuery<ImageUrlSettings>({ queryKey: imageUrlsKey, refetchOnMount: 'always' });

type Changed = ImageUrlSettings & { secret: string | null };
type ImageUrlChange = { isEnabled: boolean; hosts: string[] };

/** Changes the settings or rotates the secret. The calls return nothing: results are cached, and a secret must not be. */
function useImageUrlChanges() {
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const keep = ({ secret: created, ...settings }: Changed) => {
    queryClient.setQueryData(imageUrlsKey, settings);
    if (created !== null) setSecret(created);
  };
  const save = useResourceMutation({
    call: async (body: ImageUrlChange): Promise<void> => keep((await api.updateImageUrls({ body })).data),
    onSuccess: () => showToast({ title: imageUrlText.settings.saved }),
  });
  const rotate = useResourceMutation({
    call: async (overlapHours: number): Promise<void> =>
      keep((await api.rotateImageUrlSecret({ body: { overlapHours } })).data),
  });
  return { secret, save, rotate, clear: () => setSecret(undefined) };
}
type ImageUrlChanges = ReturnType<typeof useImageUrlChanges>;
