import { topics as allTopics, type Topic, topicNames } from '@uprez/contracts/policy/newsletter';
import { type StatusService, statusServices } from '@uprez/contracts/policy/status';
import { serviceNames } from '@uprez/contracts/texts/status';
import { useId } from 'react';
import * as z from 'zod';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { newsletterMessages, newsletterMessages as newsletterText } from './messages.ts';

const text = newsletterMessages.services;
const options = [
  { value: 'all', label: text.all },
  { value: 'chosen', label: text.chosen },
] as const;

type ServiceFieldProps = {
  services: ChosenServices;
  onChange: (services: ChosenServices) => void;
  error: string | undefined;
};

export function ServiceField({ services, onChange, error }: ServiceFieldProps) {
  const id = useId();
  const toggle = (service: StatusService, isChosen: boolean) =>
    onChange(statusServices.filter((one) => (one === service ? isChosen : services?.includes(one))));
  return (
    <div className="grid justify-items-start gap-3">
      <Segmented
        legend={text.legend}
        options={options}
        value={services ? 'chosen' : 'all'}
        onChange={(choice) => onChange(choice === 'all' ? null : [])}
      />
      {services && (
        <fieldset className="grid gap-2 sm:grid-cols-2 sm:gap-x-6" aria-describedby={error && id}>
          <legend className="sr-only">{text.chosen}</legend>
          {statusServices.map((service) => (
            <Checkbox
              key={service}
              label={serviceNames[service]}
              checked={services.includes(service)}
              onChange={(isChosen) => toggle(service, isChosen)}
            />
          ))}
        </fieldset>
      )}
      {error && (
        <p id={id} className="text-danger text-sm">
          {error}
        </p>
      )}
    </div>
  );
}

/** Chosen services of the `status` topic. Null means all services, including future ones. */
export type ChosenServices = StatusService[] | null;

export const chosenServicesSchema = z
  .array(z.enum(statusServices))
  .min(1, newsletterMessages.services.missing)
  .nullable();

export const toChosenServices = (services: readonly StatusService[]): ChosenServices =>
  services.length === 0 ? null : [...services];

/** Returns the services to send to the server. Empty if all services are chosen or `status` isn't among the topics. */
export const toServices = (topics: readonly Topic[], chosen: ChosenServices): StatusService[] =>
  topics.includes('status') ? (chosen ?? []) : [];

type TopicFieldsProps = {
  topics: readonly Topic[];
  onChange: (topics: Topic[]) => void;
  error?: string | undefined;
};

export function TopicFields({ topics, onChange, error }: TopicFieldsProps) {
  const id = useId();
  return (
    <fieldset className="grid gap-3" aria-describedby={error && id}>
      <legend className="mb-2 font-medium text-sm">{newsletterText.topics}</legend>
      {allTopics.map((topic) => (
        <Checkbox
          key={topic}
          label={
            <span className="grid">
              {topicNames[topic]}
              <span className="text-muted text-xs">{newsletterText.topicHints[topic]}</span>
            </span>
          }
          checked={topics.includes(topic)}
          onChange={(isChosen) =>
            onChange(allTopics.filter((one) => (one === topic ? isChosen : topics.includes(one))))
          }
        />
      ))}
      {error && (
        <p id={id} className="text-danger text-sm">
          {error}
        </p>
      )}
    </fieldset>
  );
}
