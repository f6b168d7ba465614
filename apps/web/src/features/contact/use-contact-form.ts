import { ticketLimits } from '@uprez/contracts/policy/tickets';
import { type ContactFields, contactFieldsSchema } from '@uprez/contracts/schemas/contact';
import type { User } from '@uprez/contracts/schemas/user';
import { useEffect, useState } from 'react';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { forgetMessage, keepMessage, readMessage } from './kept-message.ts';
import { contactMessages as text } from './messages.ts';
import { useFormToken } from './use-form-token.ts';

export type ContactValues = ContactFields & { attachments: File[]; newsletter: boolean; website: string };

const filesSchema = z
  .array(z.instanceof(File))
  .max(ticketLimits.attachments, text.tooMany)
  .superRefine((files, context) => {
    const large = files.find(({ size }) => size > ticketLimits.attachmentBytes);
    if (large) context.addIssue(text.tooLarge(large.name));
  });
const schema = contactFieldsSchema.extend({ attachments: filesSchema, newsletter: z.boolean(), website: z.string() });

export type OpenPosition = { slug: string; title: string };

/** Applications have a subject of their own. */
const emptyFields = (position: OpenPosition | undefined) =>
  ({
    company: '',
    inquiryType: 'general',
    subject: position ? text.application.subject(position.title).slice(0, ticketLimits.subjectLength) : '',
    message: '',
  }) as const;
const ownFields = (user: User | null) => ({
  firstName: user?.firstName ?? '',
  lastName: user?.lastName ?? '',
  email: user?.email ?? '',
});

/** What isn't kept: a reload removes it. */
const unkept = { attachments: [], newsletter: false, website: '' };

function toBody({ attachments, newsletter, ...fields }: ContactValues, more: Record<string, string>): FormData {
  const body = new FormData();
  if (newsletter) body.set('newsletter', 'true');
  for (const [name, value] of Object.entries({ ...fields, ...more })) body.set(name, value);
  for (const file of attachments) body.append('attachments', file);
  return body;
}

/** The contact form, or the form of an application. `sent`: the number and the sender of the message that was sent last. */
export function useContactForm(user: User | null, position: OpenPosition | undefined) {
  const name = position?.slug ?? '';
  const initial = { ...ownFields(user), ...emptyFields(position), ...unkept };
  const readToken = useFormToken();
  const [sent, setSent] = useState<{ number: number; email: string }>();
  const form = useApiForm<ContactValues>({
    schema,
    defaultValues: { ...initial, ...readMessage(name), ...unkept },
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
