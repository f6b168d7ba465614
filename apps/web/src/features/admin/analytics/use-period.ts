import { analyticsPeriods, defaultPeriod } from '@uprez/contracts/policy/analytics';
import { useSearchParam } from '../../../lib/browser/use-search-param.ts';

export const comparisons = ['previous', 'none'] as const;

/** The period, stored in the URL. */
export const usePeriod = () =>
  useSearchParam({ name: 'period', choices: analyticsPeriods, fallback: defaultPeriod, isImmediate: true });

/** Whether numbers are compared with the period before, stored in the URL. */
export const useComparison = () =>
  useSearchParam({ name: 'compare', choices: comparisons, fallback: 'previous', isImmediate: true });
