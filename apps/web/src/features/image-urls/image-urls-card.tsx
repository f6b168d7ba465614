import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { imageUrlRules } from '@uprez/contracts/policy/images/image-urls';
import { limits } from '@uprez/contracts/policy/limits';
import {
  type ImageUrlSettings,
  imageUrlChangeSchema,
  newImageUrlSchema,
} from '@uprez/contracts/schemas/image-url-settings';
import { useState } from 'react';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { formatDateTime } from '../../lib/format/format.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { CopyBlock, CopySecret } from '../../ui/code/copy-block.tsx';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { exactInput, TextArea, TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { FactGrid } from '../../ui/layout/fact-grid.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { RotationDialog } from '../../ui/overlays/form-dialog.tsx';

const text = {
  title: 'Image URLs',
  intro:
    'Show processed images on your website without code that uploads them. Sign a URL on your server and use it as the source of an image.',
  settings: {
    enabled: 'Enable image URLs',
    hosts: 'Allowed hosts',
    hostsHint: `Hosts of your original images, one per line, such as images.example.com or *.example.com. Up to ${imageUrlRules.hosts} entries.`,
    submit: 'Save',
    pending: 'Saving...',
    saved: 'Image URLs updated',
  },
  facts: { keyId: 'Key ID', rotated: 'Secret created', former: 'Previous secret valid until' },
  rotate: {
    action: 'Rotate secret',
    title: 'Rotate the secret of image URLs?',
    text: 'This creates a new secret. Sign your URLs with it before the previous one expires.',
    overlap: 'Current secret',
    submit: 'Rotate secret',
    pending: 'Rotating...',
  },
  secret: {
    title: 'Save your secret',
    text: "Copy this secret now. You won't be able to see it again.",
    copy: 'Copy secret',
    done: "I've saved this secret",
  },
  sample: {
    title: 'Sample URL',
    imageUrl: 'Original image',
    options: 'Options',
    optionsHint: 'Options of the API as name:value, separated by commas.',
    submit: 'Sign URL',
    pending: 'Signing...',
    result: 'Signed URL',
    copy: 'Copy URL',
    open: 'Open image',
    cost: 'Opening the image costs 1 credit, at most once a day.',
  },
} as const;

const overlapLimits = { default: imageUrlRules.overlapHours, max: imageUrlRules.maxOverlapHours };

export function ImageUrlsCard() {
  const query = useImageUrls();
  const { secret, save, rotate, clear } = useImageUrlChanges();
  return (
    <Card title={text.title}>
      <p className="text-muted text-sm">{text.intro}</p>
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

type KeyProps = { settings: ImageUrlSettings; rotate: ImageUrlChanges['rotate'] };

function Key({ settings: { keyId, rotatedAt, formerUntil }, rotate }: KeyProps) {
  const [isRotating, setIsRotating] = useState(false);
  return (
    <div className="grid min-w-0 gap-4">
      <FactGrid
        facts={[
          [text.facts.keyId, <code key="keyId">{keyId}</code>],
          [text.facts.rotated, rotatedAt && formatDateTime(rotatedAt)],
          ...(formerUntil ? [[text.facts.former, formatDateTime(formerUntil)] as const] : []),
        ]}
      />
      <Button look="secondary" className="justify-self-start" onClick={() => setIsRotating(true)}>
        {text.rotate.action}
      </Button>
      {isRotating && (
        <RotationDialog
          title={text.rotate.title}
          text={text.rotate}
          overlap={overlapLimits}
          rotate={rotate.mutateAsync}
          onClose={() => setIsRotating(false)}
        />
      )}
    </div>
  );
}

function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Dialog open onOpenChange={() => {}} title={text.secret.title} description={text.secret.text} wide locked>
      <CopySecret code={secret} label={text.secret.copy} />
      <Button className="sm:justify-self-end" onClick={onDone}>
        {text.secret.done}
      </Button>
    </Dialog>
  );
}

const settingsText = text.settings;

/** `hosts`: one host per line. */
type Draft = { isEnabled: boolean; hosts: string };

const toBody = ({ isEnabled, hosts }: Draft): ImageUrlChange => ({
  isEnabled,
  hosts: hosts.split(/[\s,]+/).filter(Boolean),
});
const draftSchema = z
  .custom<Draft>()
  .transform((draft): z.input<typeof imageUrlChangeSchema> => toBody(draft))
  .pipe(imageUrlChangeSchema);

type SettingsFormProps = { settings: ImageUrlSettings; save: (body: ImageUrlChange) => Promise<void> };

function SettingsForm({ settings, save }: SettingsFormProps) {
  const form = useApiForm({
    schema: draftSchema,
    defaultValues: { isEnabled: settings.isEnabled, hosts: settings.hosts.join('\n') },
    send: async (draft) => {
      await save(toBody(draft));
      form.reset(draft);
    },
  });
  return (
    <form onSubmit={form.submit} className="grid min-w-0 gap-5" noValidate>
      <Switch label={settingsText.enabled} {...form.checkbox('isEnabled')} />
      <TextArea
        label={settingsText.hosts}
        hint={settingsText.hostsHint}
        rows={3}
        {...exactInput}
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

const sampleText = text.sample;

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

/**
 * Form that signs a URL. The server signs it, because the browser doesn't have the secret. `host`: an allowed host,
 * used in the initial URL.
 */
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
            {...exactInput}
          />
          <TextField
            label={sampleText.options}
            hint={sampleText.optionsHint}
            {...form.field('options')}
            maxLength={imageUrlRules.optionsLength}
            {...exactInput}
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

type ChangedImageUrls = ImageUrlSettings & { secret: string | null };
type ImageUrlChange = { isEnabled: boolean; hosts: string[] };

/** The mutations return nothing, because their results are cached, and secrets must not be. */
function useImageUrlChanges() {
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const keep = ({ secret: created, ...settings }: ChangedImageUrls) => {
    queryClient.setQueryData(imageUrlsKey, settings);
    if (created !== null) setSecret(created);
  };
  const save = useResourceMutation({
    call: async (body: ImageUrlChange): Promise<void> => keep((await api.updateImageUrls({ body })).data),
    onSuccess: () => showToast({ title: text.settings.saved }),
  });
  const rotate = useResourceMutation({
    call: async (overlapHours: number): Promise<void> =>
      keep((await api.rotateImageUrlSecret({ body: { overlapHours } })).data),
  });
  return { secret, save, rotate, clear: () => setSecret(undefined) };
}
type ImageUrlChanges = ReturnType<typeof useImageUrlChanges>;
