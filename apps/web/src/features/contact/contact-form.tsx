import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { attachmentTypes, inquiryTypes, ticketLimits } from '@uprez/contracts/policy/admin/tickets';
import { type ContactFields, contactFieldsSchema } from '@uprez/contracts/schemas/contact';
import type { User } from '@uprez/contracts/schemas/user';
import { inquiryNames } from '@uprez/contracts/texts/admin/tickets';
import { formatBytes } from '@uprez/contracts/texts/format';
import { CircleCheck, Paperclip, X } from 'lucide-react';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { ignoreErrors } from '../../lib/browser/ignore-errors.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { BotField } from '../../ui/controls/bot-field.tsx';
import { Button, buttonStyle, IconButton } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TextArea, TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { contactMessages as text } from './messages.ts';

type ContactFormProps = {
  user: User | null;
  /** Open position, if the form is an application. */
  position?: OpenPosition;
};

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
          {...form.choice('inquiryType')}
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
      {position === undefined && <Checkbox label={text.newsletter} {...form.checkbox('newsletter')} />}
      <BotField {...form.register('website')} />
      {form.error && <Notice kind="danger">{form.error}</Notice>}
      <Button type="submit" pending={form.isSubmitting} pendingText={text.pending} className="justify-self-start">
        {isApplication ? text.application.submit : text.submit}
      </Button>
    </form>
  );
}

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

type AttachmentsFieldProps = { files: readonly File[]; onChange: (files: File[]) => void; error: string | undefined };

const acceptedTypes = [
  ...Object.values(attachmentTypes),
  ...Object.keys(attachmentTypes).map((type) => `.${type}`),
].join();

function AttachmentsField({ files, onChange, error }: AttachmentsFieldProps) {
  const add = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onChange([...files, ...(target.files ?? [])]);
    // Resets the input, because otherwise a removed file couldn't be chosen again.
    target.value = '';
  };
  return (
    <div className="grid gap-2">
      <Field label={text.attachments} optional={text.optional} hint={text.filesHint} error={error}>
        {(ties) => (
          <div>
            <input {...ties} type="file" multiple accept={acceptedTypes} onChange={add} className="peer sr-only" />
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
            // The key includes the index, because several files may have the same name.
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

type ContactValues = ContactFields & { attachments: File[]; newsletter: boolean; website: string };

const filesSchema = z
  .array(z.instanceof(File))
  .max(ticketLimits.attachments, text.tooMany)
  .superRefine((files, context) => {
    const large = files.find(({ size }) => size > ticketLimits.attachmentBytes);
    if (large) context.addIssue(text.tooLarge(large.name));
  });

const schema = contactFieldsSchema.extend({ attachments: filesSchema, newsletter: z.boolean(), website: z.string() });

type OpenPosition = { slug: string; title: string };

/**
 * Returns the initial values of the fields that don't come from the user's account. An application has a preset
 * subject.
 */
const makeEmptyFields = (position: OpenPosition | undefined) =>
  ({
    company: '',
    inquiryType: 'general',
    subject: position ? text.application.subject(position.title).slice(0, ticketLimits.subjectLength) : '',
    message: '',
  }) as const;

const toOwnFields = (user: User | null) => ({
  firstName: user?.firstName ?? '',
  lastName: user?.lastName ?? '',
  email: user?.email ?? '',
});

/** Initial values of the fields that aren't stored. A reload resets them. */
const unsavedFields = { attachments: [], newsletter: false, website: '' };

function toBody({ attachments, newsletter, ...fields }: ContactValues, more: Record<string, string>): FormData {
  const body = new FormData();
  if (newsletter) body.set('newsletter', 'true');
  for (const [name, value] of Object.entries({ ...fields, ...more })) body.set(name, value);
  for (const file of attachments) body.append('attachments', file);
  return body;
}

/** `sent`: number and sender of the last message that was sent. */
function useContactForm(user: User | null, position: OpenPosition | undefined) {
  const name = position?.slug ?? '';
  const initial = { ...toOwnFields(user), ...makeEmptyFields(position), ...unsavedFields };
  const readToken = useFormToken();
  const [sent, setSent] = useState<{ number: number; email: string }>();
  const form = useApiForm<ContactValues>({
    schema,
    defaultValues: { ...initial, ...readMessage(name), ...unsavedFields },
    asksBeforeLeaving: false,
    send: async (values) => {
      const more = { formToken: await readToken(), ...(position && { position: position.slug }) };
      const { data } = await api.sendContact({ body: toBody(values, more) });
      form.reset(initial);
      forgetMessage(name);
      setSent({ number: data.number, email: values.email });
    },
  });
  const { watch } = form;
  useEffect(() => {
    const { unsubscribe } = watch(({ attachments: _, newsletter: __, website: ___, ...fields }) =>
      keepMessage(name, fields),
    );
    return unsubscribe;
  }, [watch, name]);
  return { form, sent, restart: () => setSent(undefined) };
}

const textSchema = z.partialRecord(
  z.enum(Object.keys(contactFieldsSchema.shape) as (keyof ContactFields)[]),
  z.string(),
);

/** `form`: slug of a position, or empty for the contact form. */
const storageKeyOf = (form: string) => `uprez.contact.${form}`;

/** Stores the typed values in this tab, where they survive a reload. Signing out removes them. */
const keepMessage = (form: string, fields: object): void =>
  void ignoreErrors(() => sessionStorage.setItem(storageKeyOf(form), JSON.stringify(fields)));

const forgetMessage = (form: string): void => void ignoreErrors(() => sessionStorage.removeItem(storageKeyOf(form)));

const readMessage = (form: string): Partial<ContactFields> =>
  (ignoreErrors(() => textSchema.parse(JSON.parse(sessionStorage.getItem(storageKeyOf(form)) ?? '{}'))) as
    | Partial<ContactFields>
    | undefined) ?? {};

const { least, most } = ticketLimits.formSeconds;

/** Includes half a second for network latency and clock differences. */
const minDelayMs = (least + 0.5) * 1_000;

const maxTokenAgeMs = (most * 1_000) / 2;

async function fetchFormToken() {
  const { data } = await api.openContactForm();
  return { token: data.token, at: performance.now() };
}

/**
 * Returns a function that gets the signed form token. The server accepts a token only once it has a minimum age, so the
 * function waits if the form is sent earlier, such as with a restored draft.
 */
function useFormToken(): () => Promise<string> {
  const { data, refetch } = useQuery({
    queryKey: [apiRoutes.openContactForm.path],
    queryFn: fetchFormToken,
    staleTime: maxTokenAgeMs,
    gcTime: 0,
  });
  return async () => {
    const isFresh = data !== undefined && performance.now() - data.at < maxTokenAgeMs;
    const opened = isFresh ? data : (await refetch({ throwOnError: true })).data;
    if (!opened) return '';
    const waitMs = opened.at + minDelayMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    return opened.token;
  };
}
