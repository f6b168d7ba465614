import { NodeViewWrapper, type ReactNodeViewProps, ReactNodeViewRenderer } from '@tiptap/react';
import { PenLine, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { useApiForm } from '../../../../lib/forms/use-api-form.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { TextArea } from '../../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../../ui/overlays/form-dialog.tsx';
import { ImageNode } from './image-node.ts';
import { imageTextMessages, imageTextMessages as text } from './messages.ts';

/** An image in the text, with a button that edits its alt text. */
function ImageView({ node, selected, editor, updateAttributes }: ReactNodeViewProps) {
  const { src, alt } = node.attrs as { src: string; alt: string };
  const [isEditing, setEditing] = useState(false);
  const [isMissing, setMissing] = useState(false);
  return (
    <NodeViewWrapper as="span" className="article-image" data-selected={selected || undefined}>
      {isMissing ? (
        <span className="flex items-center gap-2 rounded-control bg-sunken p-4 text-muted text-sm">
          <TriangleAlert aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.missing}
        </span>
      ) : (
        <img src={src} alt={alt} draggable="true" data-drag-handle="" onError={() => setMissing(true)} />
      )}
      {editor.isEditable && (
        <Button look="secondary" size="small" contentEditable={false} onClick={() => setEditing(true)}>
          <PenLine aria-hidden="true" strokeWidth={1.75} className="size-3.5" />
          <span className="max-w-80 truncate">{alt ? text.altText(alt) : text.addAltText}</span>
        </Button>
      )}
      {isEditing && (
        <AltTextDialog
          alt={alt}
          onSave={(changed) => updateAttributes({ alt: changed })}
          onClose={() => setEditing(false)}
        />
      )}
    </NodeViewWrapper>
  );
}

/** Images of the media library as the editor shows them. */
export const ShownImageNode = ImageNode.extend({
  addNodeView: () => ReactNodeViewRenderer(ImageView, { as: 'span' }),
});

const altDialogText = imageTextMessages.altDialog;
const schema = z.object({ alt: z.string() });

type AltTextDialogProps = { alt: string; onSave: (alt: string) => void; onClose: () => void };

/** Asks for the text that screen readers read instead of an image. */
function AltTextDialog({ alt, onSave, onClose }: AltTextDialogProps) {
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
    <FormDialog title={altDialogText.title} form={form} text={altDialogText} onClose={onClose}>
      <TextArea label={altDialogText.alt} hint={altDialogText.hint} {...form.field('alt')} rows={3} />
    </FormDialog>
  );
}
