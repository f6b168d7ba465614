import { type StatusService, statusServices } from '@uprez/contracts/policy/status';
import { serviceNames } from '@uprez/contracts/texts/status';
import { useId } from 'react';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { statusMessages } from './messages.ts';

type ServiceChoiceProps = {
  value: readonly StatusService[];
  onChange: (services: StatusService[]) => void;
  error: string | undefined;
};

/** Asks which services an incident affects. */
export function ServiceChoice({ value, onChange, error }: ServiceChoiceProps) {
  const id = useId();
  const toggle = (service: StatusService, chosen: boolean) =>
    onChange(statusServices.filter((one) => (one === service ? chosen : value.includes(one))));
  return (
    <fieldset className="grid gap-2" aria-describedby={error && id}>
      <legend className="mb-2 font-medium text-sm">{statusMessages.form.services}</legend>
      {statusServices.map((service) => (
        <Checkbox
          key={service}
          label={serviceNames[service]}
          checked={value.includes(service)}
          onChange={(chosen) => toggle(service, chosen)}
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

type NotifyChoiceProps = { value: boolean | undefined; onChange: (notify: boolean) => void };

/** Asks whether subscribers get an update by email. */
export const NotifyChoice = ({ value = false, onChange }: NotifyChoiceProps) => (
  <Checkbox
    label={
      <span className="grid">
        {statusMessages.form.notify}
        <span className="text-muted text-xs">{statusMessages.form.notifyHint}</span>
      </span>
    }
    checked={value}
    onChange={onChange}
  />
);

/** Notes that maintenance updates are always emailed, so there is nothing to choose. */
export const AlwaysNotified = () => <p className="text-muted text-xs">{statusMessages.form.always}</p>;
