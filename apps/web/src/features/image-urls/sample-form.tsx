import { imageUrls } from '@uprez/contracts/policy/image-urls';
import { limits } from '@uprez/contracts/policy/limits';
import { newImageUrlSchema } from '@uprez/contracts/schemas/image-url-settings';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { CopyBlock } from '../../ui/code/copy-block.tsx';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { imageUrlMessages } from './messages.ts';

const text = imageUrlMessages.sample;

function SignedUrl({ url }: { url: string }) {
  return (
    <section aria-label={text.result} className="grid min-w-0 gap-2">
      <CopyBlock code={url} label={text.copy} />
      <div className="flex flex-wrap items-center gap-3">
        <a href={url} target="_blank" rel="noreferrer" className={buttonStyle({ look: 'secondary' })}>
          {text.open}
        </a>
        <p className="text-muted text-sm">{text.cost}</p>
      </div>
    </section>
  );
}

/** Signs a URL on the server, so that the secret stays there. `host`: an allowed one. */
export function SampleForm({ host }: { host: string | undefined }) {
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
    <section aria-label={text.title} className="grid min-w-0 gap-4 border-line border-t pt-5">
      <h3 className="font-medium text-sm tracking-normal">{text.title}</h3>
      <form onSubmit={form.submit} className="grid min-w-0 gap-4" noValidate>
        <div className="grid min-w-0 items-start gap-4 sm:grid-cols-2">
          <TextField
            label={text.imageUrl}
            {...form.field('imageUrl')}
            inputMode="url"
            maxLength={limits.urlLength}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <TextField
            label={text.options}
            hint={text.optionsHint}
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
          pendingText={text.pending}
        >
          {text.submit}
        </Button>
      </form>
      {url !== undefined && <SignedUrl url={url} />}
    </section>
  );
}
