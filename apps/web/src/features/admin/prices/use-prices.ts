import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { BillingSettings } from '@uprez/contracts/schemas/admin/settings';
import type { PaymentHealth } from '@uprez/contracts/schemas/billing/admin-payments';
import type { PackCard, PlanCard } from '@uprez/contracts/schemas/plan-card';
import { packsKey } from '../../../lib/billing/use-packs.ts';
import { adminApi } from '../admin-api.ts';
import { healthKey } from '../payments/health-card.tsx';
import { priceMessages as text } from './messages.ts';
import { arePacksSynced, areYearlyPricesSynced } from './prices.ts';

const settingsKey = [adminRoutes.getBillingSettings.path] as const;
const plansKey = [apiRoutes.listPlans.path] as const;
const pollMs = 3_000;

export const useBillingSettings = () => useQuery<BillingSettings>({ queryKey: settingsKey, refetchOnMount: 'always' });

/** Loads the plans and packs that customers can buy now. Polls until they match the saved settings. */
export function useOffersOnSale({ yearly, packs: saved }: BillingSettings) {
  const { data: health } = useQuery<PaymentHealth>({ queryKey: healthKey });
  const hasKeys = health?.isConfigured ?? true;
  const areYearsOnSale = (cards: readonly PlanCard[] = []) => areYearlyPricesSynced(yearly, cards);
  const arePacksOnSale = (cards: readonly PackCard[] = []) => arePacksSynced(saved, cards);
  const { data: plans } = useQuery<PlanCard[]>({
    queryKey: plansKey,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => hasKeys && !areYearsOnSale(state.data) && pollMs,
  });
  const { data: packs } = useQuery<PackCard[]>({
    queryKey: packsKey,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => hasKeys && !arePacksOnSale(state.data) && pollMs,
  });
  return { plans: plans ?? [], packs: packs ?? [], hasKeys, isSynced: areYearsOnSale(plans) && arePacksOnSale(packs) };
}

export const priceKeys = [settingsKey, plansKey, packsKey];
export const pricesSavedToast = { title: text.saved, description: text.sync };

/**
 * Loads the stored settings, applies a change, and saves them. Doesn't start from the displayed settings, because
 * another administrator may have changed them.
 */
export async function savePrices(change: (stored: BillingSettings) => BillingSettings): Promise<BillingSettings> {
  const { data: stored } = await adminApi.getBillingSettings();
  return (await adminApi.putBillingSettings({ body: change(stored) })).data;
}
