import type { Node } from '@tiptap/pm/model';
import { EditorContent, useEditor } from '@tiptap/react';
import { useEffect, useRef, useState } from 'react';
import { extensions } from './extensions.ts';
import { LinkDialog } from './link-dialog.tsx';
import { blogTextMessages as text } from './messages.ts';
import { printRichText } from './open-rich-text.ts';
import { RichToolbar } from './rich-toolbar.tsx';
import '../../../../ui/article/article.css';
import './rich-editor.css';

type RichEditorProps = {
  /** The document at first. */
  document: Node;
  disabled: boolean;
  /** ID of the error message, if there is one. */
  errorId: string | undefined;
  /** Called after each change with a function that prints the current text. */
  onChange: (read: () => string) => void;
  /** Called before the editor is removed. */
  onClose: () => void;
};

/** Edits a text as readers see it. */
export function RichEditor({ document, disabled, errorId, onChange, onClose }: RichEditorProps) {
  const [isLinking, setLinking] = useState(false);
  const latest = useRef({ onChange, onClose });
  useEffect(() => {
    latest.current = { onChange, onClose };
  });
  const editor = useEditor({
    extensions,
    content: document.toJSON(),
    editable: !disabled,
    editorProps: {
      attributes: {
        ...{ role: 'textbox', 'aria-multiline': 'true', 'aria-label': text.content, class: 'article' },
        ...(disabled && { 'aria-readonly': 'true' }),
      },
      handleKeyDown: (_, event) => {
        if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return false;
        // Elsewhere, these keys open the command palette.
        event.preventDefault();
        event.stopPropagation();
        setLinking(true);
        return true;
      },
    },
    onUpdate: ({ editor: changed }) => latest.current.onChange(() => printRichText(changed.state.doc)),
  });
  useEffect(() => () => latest.current.onClose(), []);
  useEffect(() => {
    const { dom } = editor.view;
    if (errorId) dom.setAttribute('aria-describedby', errorId);
    else dom.removeAttribute('aria-describedby');
    if (errorId) dom.setAttribute('aria-invalid', 'true');
    else dom.removeAttribute('aria-invalid');
  }, [editor, errorId]);
  return (
    <div className="rounded-control border border-edge bg-surface focus-within:outline-2 focus-within:outline-focus focus-within:outline-offset-2">
      {!disabled && <RichToolbar editor={editor} onLink={() => setLinking(true)} />}
      <EditorContent editor={editor} />
      {isLinking && <LinkDialog editor={editor} onClose={() => setLinking(false)} />}
    </div>
  );
}
