import type { Node } from '@tiptap/pm/model';
import { type Editor, EditorContent, useEditor } from '@tiptap/react';
import { mediaPath } from '@uprez/contracts/policy/images/media';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { lazy, Suspense, useCallback, useEffect, useId, useRef, useState } from 'react';
import { Segmented } from '../../../../ui/controls/segmented.tsx';
import { TextArea, TextField } from '../../../../ui/controls/text-field.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { extensions } from './extensions.ts';
import { insertPlaceholder, PendingImages, ShownImageNode } from './image-view.tsx';
import { blogTextMessages, imageTextMessages as imageTextText, blogTextMessages as text } from './messages.ts';
import { openRichText, printRichText, type RichText } from './open-rich-text.ts';
import { RichToolbar } from './rich-toolbar.tsx';
import '../../../../ui/article/article.css';
import './rich-editor.css';
import type { EditorView } from '@tiptap/pm/view';
import { placeholderValues } from '@uprez/markup/placeholders';
import * as z from 'zod';
import { describeError, ShownError } from '../../../../lib/api/api-errors.ts';
import { useApiForm } from '../../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { FormDialog } from '../../../../ui/overlays/form-dialog.tsx';

const modes = ['rich', 'markdown'] as const;

type Mode = (typeof modes)[number];

const options = modes.map((value) => ({ value, label: text.modes[value] }));

type ContentEditorProps = {
  /** The initial Markdown. */
  content: string;
  /** Returns the current text as Markdown. */
  readContent: () => string;
  disabled: boolean;
  error: string | undefined;
  onChange: (read: () => string) => void;
  /** Called when the rich text editor unmounts. */
  onClose: () => void;
};

/** Edits an article's text as rich text or as Markdown. Rich text isn't available if it would lose part of the text. */
export function ContentEditor({ content, readContent, disabled, error, onChange, onClose }: ContentEditorProps) {
  const errorId = useId();
  const [rich, setRich] = useState(() => tryOpenRichText(content));
  const [mode, setMode] = useState<Mode>('rich');
  const [markdown, setMarkdown] = useState(content);
  const choose = (next: Mode) => {
    const current = readContent();
    setMarkdown(current);
    if (next === 'rich') setRich(tryOpenRichText(current));
    setMode(next);
  };
  const losses = 'losses' in rich ? rich.losses : [];
  const isRich = mode === 'rich' && 'document' in rich;
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="font-medium text-sm">{text.content}</span>
        <Segmented
          legend={text.mode}
          legendHidden
          options={options}
          value={isRich ? 'rich' : 'markdown'}
          onChange={choose}
        />
      </div>
      {!isRich && losses.length > 0 && <Notice kind="info">{text.notRich(losses)}</Notice>}
      {isRich ? (
        <>
          <RichEditor
            document={rich.document}
            disabled={disabled}
            errorId={error ? errorId : undefined}
            onChange={onChange}
            onClose={onClose}
          />
          {error && (
            <p id={errorId} role="alert" className="text-danger text-sm">
              {removeLineNumber(error)}
            </p>
          )}
        </>
      ) : (
        <MarkdownEditor
          value={markdown}
          disabled={disabled}
          error={error}
          onChange={(value) => {
            setMarkdown(value);
            onChange(() => value);
          }}
        />
      )}
      <PlaceholderList />
    </div>
  );
}

/** Like `openRichText`, but returns a loss instead of throwing if the text is nested too deeply. */
function tryOpenRichText(content: string): RichText {
  try {
    return openRichText(content);
  } catch {
    return { losses: [text.otherLoss] };
  }
}

/** Rich text has no line numbers. The error still quotes the invalid text. */
const removeLineNumber = (error: string) => error.replace(/ on line \d+\.$/, '.');

type MarkdownEditorProps = {
  value: string;
  disabled: boolean;
  error: string | undefined;
  onChange: (value: string) => void;
};

const MarkdownEditor = ({ value, disabled, error, onChange }: MarkdownEditorProps) => (
  <TextArea
    label={text.content}
    labelHidden
    hint={text.markdownHint}
    error={error}
    value={value}
    disabled={disabled}
    onChange={(event) => onChange(event.target.value)}
    rows={24}
    spellCheck
    style={{ fontFamily: 'var(--font-mono)' }}
  />
);

type RichEditorProps = {
  document: Node;
  disabled: boolean;
  /** Undefined if the text has no error. */
  errorId: string | undefined;
  /** Called after each change. `read` returns the current text. */
  onChange: (read: () => string) => void;
  /** Called when the editor unmounts. */
  onClose: () => void;
};

const MediaPicker = lazy(async () => ({
  default: (await import('../../media/picker/media-picker.tsx')).MediaPicker,
}));

const shownExtensions = [
  ...extensions.map((extension) => (extension.name === ShownImageNode.name ? ShownImageNode : extension)),
  PendingImages,
];

function RichEditor({ document, disabled, errorId, onChange, onClose }: RichEditorProps) {
  const [isLinking, setLinking] = useState(false);
  const [isPicking, setPicking] = useState(false);
  const askForLink = useCallback(() => setLinking(true), []);
  const askForImage = useCallback(() => setPicking(true), []);
  const latest = useRef({ onChange, onClose });
  useEffect(() => {
    latest.current = { onChange, onClose };
  });
  const editor = useEditor({
    extensions: shownExtensions,
    content: document.toJSON(),
    editable: !disabled,
    editorProps: {
      attributes: {
        ...{ role: 'textbox', 'aria-multiline': 'true', 'aria-label': text.content, class: 'article' },
        ...(disabled && { 'aria-readonly': 'true' }),
      },
      handleKeyDown: (_, event) => {
        if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return false;
        // Outside the editor, this shortcut opens the command palette.
        event.preventDefault();
        event.stopPropagation();
        setLinking(true);
        return true;
      },
      handlePaste: (view, event) => insertFiles(view, event.clipboardData, view.state.selection.from),
      handleDrop: (view, event) => {
        // The user is moving content within the editor, so nothing is inserted.
        if (view.dragging) return false;
        const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
        return insertFiles(view, event.dataTransfer, place?.pos ?? view.state.selection.from);
      },
    },
    onUpdate: ({ editor: changed }) => latest.current.onChange(() => printRichText(changed.state.doc)),
  });
  useEffect(() => () => latest.current.onClose(), []);
  useEffect(() => {
    const mark = () => {
      const { dom } = editor.view;
      if (errorId) dom.setAttribute('aria-describedby', errorId);
      else dom.removeAttribute('aria-describedby');
      if (errorId) dom.setAttribute('aria-invalid', 'true');
      else dom.removeAttribute('aria-invalid');
    };
    // The editor may not be mounted yet, for example for a new article, which doesn't load anything.
    if (!editor.isDestroyed) mark();
    editor.on('mount', mark);
    return () => void editor.off('mount', mark);
  }, [editor, errorId]);
  const insertImage = ({ id, alt }: MediaFile) => {
    setPicking(false);
    editor
      .chain()
      .focus()
      .insertContent({ type: 'image', attrs: { src: mediaPath(id), alt } })
      .run();
  };
  return (
    <div className="rounded-control border border-edge bg-surface focus-within:outline-2 focus-within:outline-focus focus-within:outline-offset-2">
      {!disabled && <RichToolbar editor={editor} onLink={askForLink} onImage={askForImage} />}
      <EditorContent editor={editor} />
      {isPicking && (
        <Suspense>
          <MediaPicker onPick={insertImage} onClose={() => setPicking(false)} />
        </Suspense>
      )}
      {isLinking && <LinkDialog editor={editor} onClose={() => setLinking(false)} />}
    </div>
  );
}

const placeholdersText = blogTextMessages.placeholders;

const PlaceholderList = () => (
  <details className="text-sm">
    <summary className="w-fit cursor-pointer text-muted hover:text-ink">{placeholdersText.title}</summary>
    <p className="mt-2 text-muted">{placeholdersText.hint}</p>
    <dl className="mt-2 grid max-h-64 grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 overflow-y-auto">
      {[...placeholderValues].map(([name, value]) => (
        <div key={name} className="contents">
          <dt>
            <code className="text-xs wrap-anywhere">{`{{${name}}}`}</code>
          </dt>
          <dd className="text-muted wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  </details>
);

type Source = Pick<DataTransfer, 'files' | 'getData'> | null;

async function insertFile(view: EditorView, file: File, at: number): Promise<void> {
  const fill = insertPlaceholder(view, at, file.name);
  try {
    const { findRejectionReason: findReason, sendFile } = await import('../../media/upload/send-file.ts');
    const reason = findReason(file, 'image');
    if (reason) throw new ShownError(reason);
    const { id, alt } = await sendFile(file, { signal: new AbortController().signal, onPercent: () => undefined });
    if (!fill({ src: mediaPath(id), alt })) showToast({ title: imageTextText.onlyStored(file.name) });
  } catch (error) {
    fill();
    showToast({ title: imageTextText.failed(file.name), description: describeError(error), destructive: true });
  }
}

/** Inserts dropped or pasted files. Returns false if nothing was inserted, and the editor then handles the text. */
function insertFiles(view: EditorView, source: Source, at: number): boolean {
  const files = [...(source?.files ?? [])];
  // Ignores files that come with HTML, because office programs add an image of the text that they copy.
  if (!view.editable || files.length === 0 || source?.getData('text/html')) return false;
  for (const file of files) void insertFile(view, file, at);
  return true;
}

const linkDialogText = blogTextMessages.linkDialog;

/** Matches a domain without a scheme, with or without a path. */
const bareUrlPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)+([/?#:]\S*)?$/i;

const addScheme = (url: string) => (bareUrlPattern.test(url) ? `https://${url}` : url);

const urlSchema = z.string().regex(/^(https?:\/\/|mailto:|\/|#)\S+$/i, linkDialogText.invalid);

const linkSchema = z.object({ url: z.string().trim().transform(addScheme).pipe(urlSchema), label: z.string() });

function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const isLink = editor.isActive('link');
  const needsText = !isLink && editor.state.selection.empty;
  const href: unknown = editor.getAttributes('link').href;
  const form = useApiForm({
    schema: linkSchema,
    defaultValues: { url: typeof href === 'string' ? href : '', label: '' },
    // `useApiForm` passes the values as typed, without the schema's transforms.
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
    <FormDialog title={linkDialogText.title} form={form} text={linkDialogText} onClose={onClose}>
      <TextField
        label={linkDialogText.url}
        hint={linkDialogText.urlHint}
        {...form.field('url')}
        inputMode="url"
        autoComplete="off"
      />
      {needsText && <TextField label={linkDialogText.text} {...form.field('label')} autoComplete="off" />}
      {isLink && (
        <Button look="secondary" className="justify-self-start" onClick={remove}>
          {linkDialogText.remove}
        </Button>
      )}
    </FormDialog>
  );
}
