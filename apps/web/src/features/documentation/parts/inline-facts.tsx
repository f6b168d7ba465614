import { formatNames, inputFormats } from '@uprez/contracts/policy/image-formats';
import { plans, type Tier, tiers } from '@uprez/contracts/policy/plans';
import { formatAlternatives, formatList } from '@uprez/contracts/texts/format';
import { useExampleValues } from '../../../ui/code/example-values.ts';
import { Code } from './rich-text.tsx';

const planNames = (hasFeature: (tier: Tier) => boolean) => tiers.filter(hasFeature).map((tier) => plans[tier].name);

export const PlansWithApi = () => formatAlternatives(planNames((tier) => plans[tier].api));
export const PlansWithWebhooks = () => formatList(planNames((tier) => plans[tier].webhooks === 'delivery'));
export const InputFormats = () => formatAlternatives(inputFormats.map((name) => formatNames[name]));

export function BaseUrl() {
  const { address } = useExampleValues();
  return <Code>{`${address}/v1`}</Code>;
}
