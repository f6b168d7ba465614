import { plans, tiers } from '@uprez/contracts/policy/plans';
import { deliveryErrors, eventTypes } from '@uprez/contracts/schemas/webhook-events';
import { formatList } from '@uprez/contracts/texts/format';
import { FactList } from '../parts/fact-list.tsx';
import { Fields } from '../parts/field-groups.tsx';
import { Paragraphs } from '../parts/rich-text.tsx';
import { referenceMessages } from '../reference-messages.ts';
import { fieldsOfEvent } from '../request-fields.ts';

const text = referenceMessages.webhooks;
const withWebhooks = formatList(
  tiers.filter((tier) => plans[tier].webhooks === 'delivery').map((tier) => plans[tier].name),
);
const factsOf = (rows: Record<string, string>) => Object.entries(rows).map(([name, says]) => ({ name, says }));

/** Description of webhooks. */
export function WebhookWords() {
  return (
    <>
      <Paragraphs text={`${text.text}\n\n${text.feed}\n\n${text.plans(withWebhooks)}`} />
      <h3 className="pt-2 text-base">{text.events}</h3>
      <FactList label={text.events} facts={factsOf(eventTypes)} />
      <Fields title={text.payload} find={(document) => fieldsOfEvent(document, 'job.completed')} />
      <h3 className="pt-2 text-base">{text.failures}</h3>
      <FactList label={text.failures} facts={factsOf(deliveryErrors)} />
    </>
  );
}
