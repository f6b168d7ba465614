import { type ImageUrlSettings, imageUrlChangeSchema } from '@uprez/contracts/schemas/image-url-settings';
import * as z from 'zod';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { TextArea } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { imageUrlMessages } from './messages.ts';
import type { ImageUrlChange } from './use-image-urls.ts';

const text = imageUrlMessages.settings;

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
export function SettingsForm({ settings, save }: SettingsFormProps) {
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
        label={text.enabled}
        checked={form.watch('isEnabled')}
        onChange={(isEnabled) => form.change({ isEnabled })}
      />
      <TextArea
        label={text.hosts}
        hint={text.hostsHint}
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
        {text.submit}
      </Button>
    </form>
  );
}
