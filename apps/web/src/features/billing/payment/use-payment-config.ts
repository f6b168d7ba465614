import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { BillingConfig } from '@uprez/contracts/schemas/billing/billing';

/** What a purchase needs to know before it starts. Read on each visit: an administrator may have changed it. */
export const usePaymentConfig = ({ enabled }: { enabled: boolean }) =>
  useQuery<BillingConfig>({
    queryKey: [routes.billingConfig.path],
    enabled,
    gcTime: 0,
    networkMode: 'always',
  });
