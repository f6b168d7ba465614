import type { Topic } from '@uprez/contracts/policy/newsletter';
import { type SubscribeBody, subscribeBodySchema } from '@uprez/contracts/schemas/newsletter/subscribers';
import { MailCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { BotField } from '../../ui/controls/bot-field.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { newsletterMessages } from './messages.ts';
import { type ChosenServices, chosenServicesSchema, ServiceField, TopicFields, toServices } from './service-field.tsx';

const boxText = newsletterMessages.blog;

export const NewsletterBox = () => (
  <Card title={boxText.title} className="sm:p-7">
    <p className="text-muted text-sm">{boxText.text}</p>
    <SubscribeForm source="blog" topics={['news']} />
  </Card>
);

const text = newsletterMessages.form;

type SubscribeFormProps = {
  source: NonNullable<SubscribeBody['source']>;
  /** If omitted, the subscriber chooses the topics. */
  topics?: readonly Topic[];
};

/** The server sends a confirmation link to the address. */
export function SubscribeForm({ source, topics }: SubscribeFormProps) {
  const { form, asked, restart } = useSubscribeForm(source, topics);
  if (asked) return <ConfirmationSent onRestart={restart}>{asked}</ConfirmationSent>;
  const chosen = form.watch('topics');
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {!topics && (
        <TopicFields
          topics={chosen}
          onChange={(next) => form.change({ topics: next })}
          error={form.errorOf('topics')}
        />
      )}
      {chosen.includes('status') && (
        <ServiceField
          services={form.watch('services')}
          onChange={(services) => form.change({ services })}
          error={form.errorOf('services')}
        />
      )}
      <div className="flex flex-wrap items-start gap-3">
        <div className="w-72 max-sm:w-full">
          <TextField label={text.email} {...form.field('email')} type="email" autoComplete="email" />
        </div>
        {/* In line with the field below its label. */}
        <Button
          type="submit"
          pending={form.isSubmitting}
          pendingText={text.pending}
          className="max-sm:w-full sm:mt-6.5"
        >
          {text.submit}
        </Button>
      </div>
      <BotField {...form.register('website')} />
      {form.error && <Notice kind="danger">{form.error}</Notice>}
    </form>
  );
}

function ConfirmationSent({ children, onRestart }: { children: ReactNode; onRestart: () => void }) {
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="grid justify-items-start gap-3">
      <p ref={heading} tabIndex={-1} className="flex items-center gap-2 font-medium">
        <MailCheck aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0 text-success" />
        {text.done}
      </p>
      <p className="text-muted text-sm">{children}</p>
      <Button look="secondary" onClick={onRestart}>
        {text.another}
      </Button>
    </div>
  );
}

type Values = { email: string; topics: Topic[]; services: ChosenServices; website: string };

const { email, topics, website } = subscribeBodySchema.shape;

const schema = z.object({ email, topics, website, services: chosenServicesSchema });

/** `asked`: the server's message after a successful submission. */
function useSubscribeForm(source: NonNullable<SubscribeBody['source']>, fixed: readonly Topic[] = ['news']) {
  const [asked, setAsked] = useState<string>();
  const form = useApiForm<Values>({
    schema: schema as z.ZodType<unknown, Values>,
    defaultValues: { email: '', topics: [...fixed], services: null, website: '' },
    asksBeforeLeaving: false,
    send: async (values) => {
      const services = toServices(values.topics, values.services);
      const { data } = await api.subscribe({ body: { ...values, services, source } });
      form.reset();
      setAsked(data.message);
    },
  });
  return { form, asked, restart: () => setAsked(undefined) };
}
