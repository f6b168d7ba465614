import { attachmentTypes } from '@uprez/contracts/policy/tickets';
import { formatBytes } from '@uprez/contracts/texts/format';
import { Paperclip, X } from 'lucide-react';
import type { ChangeEvent } from 'react';
import { buttonStyle, IconButton } from '../../ui/controls/button.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { contactMessages as text } from './messages.ts';

type AttachmentsFieldProps = { files: readonly File[]; onChange: (files: File[]) => void; error: string | undefined };

const accept = [...Object.values(attachmentTypes), ...Object.keys(attachmentTypes).map((type) => `.${type}`)].join();

/** Files of a message. More can be added, and each can be removed. */
export function AttachmentsField({ files, onChange, error }: AttachmentsFieldProps) {
  const add = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onChange([...files, ...(target.files ?? [])]);
    // The same file can be chosen again after it was removed.
    target.value = '';
  };
  return (
    <div className="grid gap-2">
      <Field label={text.attachments} optional={text.optional} hint={text.filesHint} error={error}>
        {(ties) => (
          <div>
            <input {...ties} type="file" multiple accept={accept} onChange={add} className="peer sr-only" />
            <label
              htmlFor={ties.id}
              className={buttonStyle({
                look: 'secondary',
                className:
                  'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-focus peer-focus-visible:outline-offset-2',
              })}
            >
              <Paperclip aria-hidden="true" strokeWidth={1.75} className="size-4" />
              {text.addFiles}
            </label>
          </div>
        )}
      </Field>
      {files.length > 0 && (
        <ul aria-label={text.attachments} className="divide-y divide-line rounded-control border border-line text-sm">
          {files.map((file, index) => (
            // Files with the same name may be added twice.
            <li key={`${index} ${file.name}`} className="flex items-center gap-3 py-1 pr-1 pl-3">
              <span className="min-w-0 flex-1 truncate">{file.name}</span>
              <span className="shrink-0 text-muted text-xs tabular-nums">{formatBytes(file.size)}</span>
              <IconButton
                label={text.remove(file.name)}
                icon={X}
                onClick={() => onChange(files.filter((other) => other !== file))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
