import { mediaLimits } from '@uprez/contracts/policy/media';
import { type MediaFile, updateMediaBodySchema } from '@uprez/contracts/schemas/content/media';
import { useApiForm } from '../../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { TextArea, TextField } from '../../../../ui/controls/text-field.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { useMay } from '../../frame/use-may.ts';
import { mediaMessages, fileMessages as text } from '../messages.ts';
import { useUpdateFile } from '../use-media-mutations.ts';

const schema = updateMediaBodySchema.required();

/** The name and the alt text of a file. */
export function FileForm({ file: { id, kind, originalName, alt, deletedAt } }: { file: MediaFile }) {
  const isLocked = !useMay('media.manage') || deletedAt !== null;
  const update = useUpdateFile(id);
  const form = useApiForm({
    schema,
    defaultValues: { originalName, alt },
    send: async (values) => {
      const saved = await update.mutateAsync(values);
      form.reset({ originalName: saved.originalName, alt: saved.alt });
      showToast({ title: mediaMessages.success, description: text.saved });
    },
  });
  return (
    <Card title={text.details}>
      <form onSubmit={form.submit}>
        <fieldset disabled={isLocked} className="grid min-w-0 gap-4">
          <TextField
            label={text.name}
            {...form.field('originalName')}
            maxLength={mediaLimits.nameLength}
            autoComplete="off"
            spellCheck={false}
          />
          {kind === 'image' && (
            <TextArea
              label={text.alt}
              hint={text.altHint}
              {...form.field('alt')}
              maxLength={mediaLimits.altLength}
              rows={3}
            />
          )}
          {form.error && <Notice kind="danger">{form.error}</Notice>}
          {!isLocked && (
            <Button
              type="submit"
              look="secondary"
              className="justify-self-start"
              pending={form.isSubmitting}
              pendingText={text.saving}
            >
              {text.save}
            </Button>
          )}
        </fieldset>
      </form>
    </Card>
  );
}
