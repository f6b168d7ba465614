import { Badge } from '../../../ui/feedback/badge.tsx';
import { priceMessages } from './messages.ts';
import type { SaleState } from './sale-state.ts';

const kinds = { on_sale: 'success', syncing: 'warning', off: 'neutral' } as const;

export const SaleBadge = ({ state }: { state: SaleState }) => (
  <Badge kind={kinds[state]}>{priceMessages.states[state]}</Badge>
);
