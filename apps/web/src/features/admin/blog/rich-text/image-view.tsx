import { NodeViewWrapper, type ReactNodeViewProps, ReactNodeViewRenderer } from '@tiptap/react';
import { PenLine, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../ui/controls/button.tsx';
import { AltTextDialog } from './alt-text-dialog.tsx';
import { ImageNode } from './image-node.ts';
import { imageTextMessages as text } from './messages.ts';

/** An image in the text with its alt text, which a press changes. */
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
