import { Extension } from '@tiptap/core';
import { type EditorState, Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import { imageTextMessages as text } from './messages.ts';

type Pending = { id: object; at: number; name: string };
type Change = { add: Pending } | { remove: object };

const key = new PluginKey<DecorationSet>('pendingImages');

function makeWidget(name: string): HTMLElement {
  const widget = document.createElement('span');
  widget.className = 'pending-image';
  widget.textContent = text.uploading(name);
  return widget;
}

/** Shows where images that are being uploaded will be inserted. These places follow changes of the text. */
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

const findPlace = (state: EditorState, id: object): number | undefined =>
  key.getState(state)?.find(undefined, undefined, (spec) => spec.id === id)[0]?.from;

/**
 * Marks a position in the text. Returns a function that removes the mark, and inserts an image there if it gets one.
 */
export function holdPlace(view: EditorView, at: number, name: string) {
  const id = {};
  view.dispatch(view.state.tr.setMeta(key, { add: { id, at, name } } satisfies Change));
  /** Returns false if the editor was closed or the position was deleted in the meantime. */
  return (image?: { src: string; alt: string }): boolean => {
    if (view.isDestroyed) return false;
    const place = findPlace(view.state, id);
    const transaction = view.state.tr.setMeta(key, { remove: id } satisfies Change);
    if (image && place !== undefined) transaction.insert(place, view.state.schema.node('image', image));
    view.dispatch(transaction);
    return place !== undefined;
  };
}
