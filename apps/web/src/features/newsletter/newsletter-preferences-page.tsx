import { useQueryClient } from '@tanstack/react-query';
import type { Topic } from '@uprez/contracts/policy/newsletter';
import type { NewsletterSubscription } from '@uprez/contracts/schemas/newsletter/subscribers';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { CardPage } from '../../ui/layout/page-heading.tsx';
import { LinkPage, subscriptionQuery } from './link-page.tsx';
import { newsletterMessages } from './messages.ts';
import {
  type ChosenServices,
  chosenServicesSchema,
  ServiceField,
  TopicFields,
  toChosenServices,
  toServices,
} from './service-field.tsx';

const text = newsletterMessages.preferences;

/** Opened from an email link. */
export function PreferencesPage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  return (
    <LinkPage token={token} query={subscriptionQuery(token)} texts={{ ...text, pending: messages.session.loading }}>
      {(subscription) => (
        <CardPage title={text.document} heading={text.title}>
          <p className="text-muted text-sm wrap-anywhere">{text.text(subscription.email)}</p>
          <PreferencesForm token={token} subscription={subscription} />
        </CardPage>
      )}
    </LinkPage>
  );
}

const schema = z.object({ topics: z.custom<Topic[]>(() => true), services: chosenServicesSchema });
type Values = { topics: Topic[]; services: ChosenServices };

/** Saving an empty list of topics unsubscribes the address. */
function usePreferences(token: string, { topics, services }: NewsletterSubscription) {
  const queryClient = useQueryClient();
  const [isSaved, setSaved] = useState(false);
  const form = useApiForm<Values>({
    schema,
    defaultValues: { topics, services: toChosenServices(services) },
    send: async (values) => {
      setSaved(false);
      const body = { topics: values.topics, services: toServices(values.topics, values.services) };
      const { data } = await api.updateSubscription({ query: { token }, body });
      queryClient.setQueryData(subscriptionQuery(token).queryKey, data);
      form.reset({ topics: data.topics, services: toChosenServices(data.services) });
      setSaved(true);
    },
  });
  const change = (values: Partial<Values>) => {
    setSaved(false);
    form.change(values);
  };
  return { form, isSaved, change };
}

function PreferencesForm({ token, subscription }: { token: string; subscription: NewsletterSubscription }) {
  const { form, isSaved, change } = usePreferences(token, subscription);
  const [topics, services] = [form.watch('topics'), form.watch('services')];
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <TopicFields topics={topics} onChange={(next) => change({ topics: next })} />
      {topics.includes('status') && (
        <ServiceField
          services={services}
          onChange={(next) => change({ services: next })}
          error={form.errorOf('services')}
        />
      )}
      {form.error && <Notice kind="danger">{form.error}</Notice>}
      <p role="status" className="text-sm empty:hidden">
        {isSaved && (topics.length === 0 ? text.savedNone : text.saved)}
      </p>
      <div className="grid gap-2">
        <Button type="submit" size="wide" pending={form.isSubmitting} pendingText={text.pending}>
          {text.submit}
        </Button>
        <Button
          type="submit"
          look="secondary"
          size="wide"
          aria-disabled={form.isSubmitting || undefined}
          onClick={(event) => {
            if (form.isSubmitting) event.preventDefault();
            else change({ topics: [], services: null });
          }}
        >
          {text.leave}
        </Button>
      </div>
    </form>
  );
}
