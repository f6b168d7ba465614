import { TextArea } from '../../../../ui/controls/text-field.tsx';
import { blogTextMessages as text } from './messages.ts';

type MarkdownEditorProps = {
  value: string;
  disabled: boolean;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** Edits a text as Markdown. */
export const MarkdownEditor = ({ value, disabled, error, onChange }: MarkdownEditorProps) => (
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
