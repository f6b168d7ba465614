import * as z from 'zod';
import { useApiForm } from '../../../../lib/forms/use-api-form.ts';
import { TextArea } from '../../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../../ui/overlays/form-dialog.tsx';
import { imageTextMessages } from './messages.ts';

const text = imageTextMessages.altDialog;
const schema = z.object({ alt: z.string() });

type AltTextDialogProps = { alt: string; onSave: (alt: string) => void; onClose: () => void };

/** Asks for the text that screen readers read instead of an image. */
export function AltTextDialog({ alt, onSave, onClose }: AltTextDialogProps) {
  const form = useApiForm({
    schema,
    defaultValues: { alt },
    send: async ({ alt: typed }) => {
      // Alt texts of Markdown have one line.
      onSave(typed.replace(/\s+/g, ' ').trim());
      onClose();
    },
    asksBeforeLeaving: false,
  });
  return (
    <FormDialog title={text.title} form={form} text={text} onClose={onClose}>
      <TextArea label={text.alt} hint={text.hint} {...form.field('alt')} rows={3} />
    </FormDialog>
  );
}
