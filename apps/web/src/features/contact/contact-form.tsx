import { attachmentTypes, inquiryTypes } from '@uprez/contracts/policy/tickets';
import type { User } from '@uprez/contracts/schemas/user';
import { formatBytes } from '@uprez/contracts/texts/format';
import { inquiryNames } from '@uprez/contracts/texts/tickets';
import { CircleCheck, Paperclip, X } from 'lucide-react';
import { type ChangeEvent, useEffect, useRef } from 'react';
import { BotField } from '../../ui/controls/bot-field.tsx';
import { Button, buttonStyle, IconButton } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TextArea, TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { contactMessages as text } from './messages.ts';
import { type OpenPosition, useContactForm } from './use-contact-form.ts';

type ContactFormProps = {
  user: User | null;
  /** The open position, for an application. */
  position?: OpenPosition;
};

type SentProps = { number: number; email: string; isApplication: boolean; onRestart: () => void };

function Sent({ number, email, isApplication, onRestart }: SentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const texts = isApplication ? text.application : text;
  return (
    <div className="grid justify-items-start gap-3">
      <CircleCheck aria-hidden="true" strokeWidth={1.75} className="size-6 text-success" />
      <h3 ref={heading} tabIndex={-1} className="text-lg">
        {texts.done}
      </h3>
      <p className="text-muted wrap-anywhere">{texts.received(number, email)}</p>
      {!isApplication && (
        <Button look="secondary" onClick={onRestart}>
          {text.another}
        </Button>
      )}
    </div>
  );
}

/** Sends a message to the team, or an application to an open position. */
export function ContactForm({ user, position }: ContactFormProps) {
  const { form, sent, restart } = useContactForm(user, position);
  const isApplication = position !== undefined;
  if (sent) return <Sent {...sent} isApplication={isApplication} onRestart={restart} />;
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={text.firstName} {...form.field('firstName')} autoComplete="given-name" />
        <TextField label={text.lastName} {...form.field('lastName')} autoComplete="family-name" />
        <TextField label={text.email} {...form.field('email')} type="email" autoComplete="email" />
        {!isApplication && (
          <TextField
            label={text.company}
            optional={text.optional}
            {...form.field('company')}
            autoComplete="organization"
          />
        )}
      </div>
      {!isApplication && (
        <Select
          label={text.inquiryType}
          value={form.watch('inquiryType')}
          onChange={(inquiryType) => form.change({ inquiryType })}
          options={inquiryTypes.map((value) => ({ value, label: inquiryNames[value] }))}
          error={form.errorOf('inquiryType')}
        />
      )}
      {!isApplication && <TextField label={text.subject} {...form.field('subject')} autoComplete="off" />}
      <TextArea label={text.message} rows={7} {...form.field('message')} />
      <AttachmentsField
        files={form.watch('attachments')}
        onChange={(attachments) => form.change({ attachments })}
        error={form.errorOf('attachments')}
      />
      {position === undefined && (
        <Checkbox
          label={text.newsletter}
          checked={form.watch('newsletter')}
          onChange={(newsletter) => form.change({ newsletter })}
        />
      )}
      <BotField {...form.register('website')} />
      {form.error && <Notice kind="danger">{form.error}</Notice>}
      <Button type="submit" pending={form.isSubmitting} pendingText={text.pending} className="justify-self-start">
        {isApplication ? text.application.submit : text.submit}
      </Button>
    </form>
  );
}

type AttachmentsFieldProps = { files: readonly File[]; onChange: (files: File[]) => void; error: string | undefined };

const accept = [...Object.values(attachmentTypes), ...Object.keys(attachmentTypes).map((type) => `.${type}`)].join();

/** Files of a message. More can be added, and each can be removed. */
function AttachmentsField({ files, onChange, error }: AttachmentsFieldProps) {
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
