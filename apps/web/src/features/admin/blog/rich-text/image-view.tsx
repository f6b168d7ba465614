import { Extension } from '@tiptap/core';
import { type EditorState, Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import { NodeViewWrapper, type ReactNodeViewProps, ReactNodeViewRenderer } from '@tiptap/react';
import { PenLine, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { useApiForm } from '../../../../lib/forms/use-api-form.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { TextArea } from '../../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../../ui/overlays/form-dialog.tsx';
import { ImageNode } from './extensions.ts';
import { imageTextMessages, imageTextMessages as text } from './messages.ts';

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

/** Image node with a view in which the alt text can be edited. */
export const ShownImageNode = ImageNode.extend({
  addNodeView: () => ReactNodeViewRenderer(ImageView, { as: 'span' }),
});

const altDialogText = imageTextMessages.altDialog;
const schema = z.object({ alt: z.string() });

type AltTextDialogProps = { alt: string; onSave: (alt: string) => void; onClose: () => void };

function AltTextDialog({ alt, onSave, onClose }: AltTextDialogProps) {
  const form = useApiForm({
    schema,
    defaultValues: { alt },
    send: async ({ alt: typed }) => {
      // In Markdown, alt text must be on one line.
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

type Pending = { id: object; at: number; name: string };
type Change = { add: Pending } | { remove: object };

const key = new PluginKey<DecorationSet>('pendingImages');

function makeWidget(name: string): HTMLElement {
  const widget = document.createElement('span');
  widget.className = 'pending-image';
  widget.textContent = text.uploading(name);
  return widget;
}

/** Marks the positions at which images will be inserted once they are uploaded. The marks move with the text. */
export const PendingImages = Extension.create({
  name: 'pendingImages',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: () => DecorationSet.empty,
        apply(transaction, before) {
          const places = before.map(transaction.mapping, transaction.doc);
          const change = transaction.getMeta(key) as Change | undefined;
          if (!change) return places;
          if ('remove' in change)
            return places.remove(places.find(undefined, undefined, ({ id }) => id === change.remove));
          const { id, at, name } = change.add;
          return places.add(transaction.doc, [Decoration.widget(at, () => makeWidget(name), { id })]);
        },
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  ],
});

const findPosition = (state: EditorState, id: object): number | undefined =>
  key.getState(state)?.find(undefined, undefined, (spec) => spec.id === id)[0]?.from;

/**
 * Marks a position in the text. Returns a function that removes the mark. If it is called with an image, it also
 * inserts the image there.
 */
export function insertPlaceholder(view: EditorView, at: number, name: string) {
  const id = {};
  view.dispatch(view.state.tr.setMeta(key, { add: { id, at, name } } satisfies Change));
  /** Returns false if the editor has been closed or the position has been deleted. */
  return (image?: { src: string; alt: string }): boolean => {
    if (view.isDestroyed) return false;
    const place = findPosition(view.state, id);
    const transaction = view.state.tr.setMeta(key, { remove: id } satisfies Change);
    if (image && place !== undefined) transaction.insert(place, view.state.schema.node('image', image));
    view.dispatch(transaction);
    return place !== undefined;
  };
}
