import { type StatusService, statusServices } from '@uprez/contracts/policy/status';
import { serviceNames } from '@uprez/contracts/texts/status';
import { useId } from 'react';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import type { ChosenServices } from './interests.ts';
import { newsletterMessages } from './messages.ts';

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

/** Asks which services status notifications are about: all, or some. */
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
