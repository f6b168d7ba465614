import type { Editor } from '@tiptap/react';
import * as z from 'zod';
import { useApiForm } from '../../../../lib/forms/use-api-form.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { TextField } from '../../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../../ui/overlays/form-dialog.tsx';
import { blogTextMessages } from './messages.ts';

const text = blogTextMessages.linkDialog;
/** A domain with or without a path. */
const bareUrl = /^[a-z0-9-]+(\.[a-z0-9-]+)+([/?#:]\S*)?$/i;
const addScheme = (url: string) => (bareUrl.test(url) ? `https://${url}` : url);
const urlSchema = z.string().regex(/^(https?:\/\/|mailto:|\/|#)\S+$/i, text.invalid);
const schema = z.object({ url: z.string().trim().transform(addScheme).pipe(urlSchema), label: z.string() });

/** Asks for the URL of a link: of the selected text, or of a new one. */
export function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const isLink = editor.isActive('link');
  const needsText = !isLink && editor.state.selection.empty;
  const href: unknown = editor.getAttributes('link').href;
  const form = useApiForm({
    schema,
    defaultValues: { url: typeof href === 'string' ? href : '', label: '' },
    // The form sends what was typed.
    send: async ({ url: typed, label }) => {
      const url = addScheme(typed.trim());
      const chain = editor.chain().focus();
      if (needsText)
        chain
          .insertContent({ type: 'text', text: label || url, marks: [{ type: 'link', attrs: { href: url } }] })
          .run();
      else chain.extendMarkRange('link').setLink({ href: url }).run();
      onClose();
    },
    asksBeforeLeaving: false,
  });
  const remove = () => {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    onClose();
  };
  return (
    <FormDialog title={text.title} form={form} text={text} onClose={onClose}>
      <TextField label={text.url} hint={text.urlHint} {...form.field('url')} inputMode="url" autoComplete="off" />
      {needsText && <TextField label={text.text} {...form.field('label')} autoComplete="off" />}
      {isLink && (
        <Button look="secondary" className="justify-self-start" onClick={remove}>
          {text.remove}
        </Button>
      )}
    </FormDialog>
  );
}
