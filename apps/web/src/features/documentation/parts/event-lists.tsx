import { deliveryErrors, eventTypes } from '@uprez/contracts/schemas/webhook-events';
import { documentationMessages } from '../messages.ts';
import { fieldsOfEvent } from '../request-fields.ts';
import { FactList } from './fact-list.tsx';
import { Fields } from './field-groups.tsx';

const labels = documentationMessages.lists;
const toFacts = (rows: Record<string, string>) =>
  Object.entries(rows).map(([name, description]) => ({ name, description }));

export const EventList = () => <FactList label={labels.events} facts={toFacts(eventTypes)} />;
export const DeliveryErrorList = () => <FactList label={labels.deliveryErrors} facts={toFacts(deliveryErrors)} />;
export const EventFields = () => (
  <Fields title={labels.eventFields} find={(document) => fieldsOfEvent(document, 'job.completed')} />
);
