import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { BillingConfig } from '@uprez/contracts/schemas/billing/billing';

/** What a purchase needs to know before it starts. Read on each visit: an administrator may have changed it. */
export const usePaymentConfig = ({ enabled }: { enabled: boolean }) =>
  useQuery<BillingConfig>({
    queryKey: [apiRoutes.billingConfig.path],
    enabled,
    gcTime: 0,
    networkMode: 'always',
  });
