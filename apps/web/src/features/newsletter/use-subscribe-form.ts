import type { Topic } from '@uprez/contracts/policy/newsletter';
import { type SubscribeBody, subscribeBodySchema } from '@uprez/contracts/schemas/newsletter/subscribers';
import { useState } from 'react';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { type ChosenServices, chosenServicesSchema, toServices } from './interests.ts';

type Values = { email: string; topics: Topic[]; services: ChosenServices; website: string };

const { email, topics, website } = subscribeBodySchema.shape;
const schema = z.object({ email, topics, website, services: chosenServicesSchema });

/** The form that subscribes. `asked`: what the server answered, once it has. */
export function useSubscribeForm(source: NonNullable<SubscribeBody['source']>, fixed: readonly Topic[] = ['news']) {
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
