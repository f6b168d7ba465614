import { useId, useState } from 'react';
import { Segmented } from '../../../../ui/controls/segmented.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { MarkdownEditor } from './markdown-editor.tsx';
import { blogTextMessages as text } from './messages.ts';
import { openRichText, type RichText } from './open-rich-text.ts';
import { PlaceholderList } from './placeholder-list.tsx';
import { RichEditor } from './rich-editor.tsx';

const modes = ['rich', 'markdown'] as const;
type Mode = (typeof modes)[number];
const options = modes.map((value) => ({ value, label: text.modes[value] }));

/** The same for a text that can't be read, because it is nested too deeply. */
function tryToOpen(content: string): RichText {
  try {
    return openRichText(content);
  } catch {
    return { losses: [text.otherLoss] };
  }
}

/** Errors quote what is wrong. Rich text has no line numbers. */
const withoutLine = (error: string) => error.replace(/ on line \d+\.$/, '.');

type ContentEditorProps = {
  /** The Markdown at first. */
  content: string;
  /** The current Markdown. */
  readContent: () => string;
  disabled: boolean;
  error: string | undefined;
  onChange: (read: () => string) => void;
  /** Called before an editor is removed. */
  onClose: () => void;
};

/** Edits a text: as rich text, if nothing of it would be lost, or as Markdown. */
export function ContentEditor({ content, readContent, disabled, error, onChange, onClose }: ContentEditorProps) {
  const errorId = useId();
  const [rich, setRich] = useState(() => tryToOpen(content));
  const [mode, setMode] = useState<Mode>('rich');
  const [markdown, setMarkdown] = useState(content);
  const choose = (next: Mode) => {
    const current = readContent();
    setMarkdown(current);
    if (next === 'rich') setRich(tryToOpen(current));
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
              {withoutLine(error)}
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
