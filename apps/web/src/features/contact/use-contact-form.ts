import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { ticketLimits } from '@uprez/contracts/policy/tickets';
import { type ContactFields, contactFieldsSchema } from '@uprez/contracts/schemas/contact';
import type { User } from '@uprez/contracts/schemas/user';
import { useEffect, useState } from 'react';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { contactMessages as text } from './messages.ts';

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

const textSchema = z.partialRecord(
  z.enum(Object.keys(contactFieldsSchema.shape) as (keyof ContactFields)[]),
  z.string(),
);

/** `form`: the slug of a position, or empty. */
const nameOf = (form: string) => `uprez.contact.${form}`;

/** The browser may deny storage, and stored texts may be of another version. */
function ignoreErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Keeps what was typed, so that it survives a reload of this tab. Signing out removes it. */
const keepMessage = (form: string, fields: object): void =>
  void ignoreErrors(() => sessionStorage.setItem(nameOf(form), JSON.stringify(fields)));

const forgetMessage = (form: string): void => void ignoreErrors(() => sessionStorage.removeItem(nameOf(form)));

const readMessage = (form: string): Partial<ContactFields> =>
  (ignoreErrors(() => textSchema.parse(JSON.parse(sessionStorage.getItem(nameOf(form)) ?? '{}'))) as
    | Partial<ContactFields>
    | undefined) ?? {};

const { least, most } = ticketLimits.formSeconds;
/** The network and the clocks take some of the time. */
const leastMs = (least + 0.5) * 1_000;
const mostMs = (most * 1_000) / 2;

async function openForm() {
  const { data } = await api.openContactForm();
  return { token: data.token, at: performance.now() };
}

/**
 * Returns a function that reads the signed time of the form, when it is old enough to be sent. It waits for people who send a
 * restored draft at once.
 */
function useFormToken(): () => Promise<string> {
  const { data, refetch } = useQuery({
    queryKey: [apiRoutes.openContactForm.path],
    queryFn: openForm,
    staleTime: mostMs,
    gcTime: 0,
  });
  return async () => {
    const isFresh = data !== undefined && performance.now() - data.at < mostMs;
    const opened = isFresh ? data : (await refetch({ throwOnError: true })).data;
    if (!opened) return '';
    const waitMs = opened.at + leastMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    return opened.token;
  };
}
