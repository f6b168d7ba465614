import { makeLlmsText } from '@uprez/contracts/docs/llms-text';
import { makePlanCards } from '@uprez/contracts/policy/plans/plan-cards';
import { publicStatsRules } from '@uprez/contracts/schemas/dashboard';
import { listPacks, listPlanCards } from '@uprez/domain/billing/list-plan-cards';
import { getPublicStats } from '@uprez/domain/dashboard/get-public-stats';
import type { Deps } from '../../deps.ts';
import { defineHandlers } from '../../http/contract.ts';
import { absoluteUrl } from '../../http/public-links.ts';
import { documentHandler } from '../../http/web/send-text.ts';
import { readPublicReadiness } from '../../readiness.ts';

/** How long calls to the public readiness check share a result. Each check queries every backing service. */
const readinessCacheMs = 1_000;
/** Outdated prices are harmless: purchases refer to a price by its ID, and Stripe rejects archived prices. */
const plansCacheMs = 5_000;

/** Handlers for public information about the site: name and addresses, plans, statistics, documentation, and health. */
export const siteHandlers = (deps: Deps) => {
  const readPlans = cache(() => listPlanCards(deps), plansCacheMs);
  const readPacks = cache(() => listPacks(deps), plansCacheMs);
  const readStats = cache(() => getPublicStats(deps), publicStatsRules.cachedMs);
  const readReady = cache(() => readPublicReadiness(deps), readinessCacheMs);
  return defineHandlers({
    site: async () => {
      const { siteName, contactEmail, supportEmail, ...site } = await deps.settings.read('site');
      const { supportHours, company, companyAddress, governingLaw, liability, legalBasis, processors } = site;
      const { minPasswordLength } = await deps.settings.read('security');
      const owner = { supportHours, company, companyAddress, governingLaw, liability, legalBasis, processors };
      return { siteName, contactEmail, supportEmail, ...owner, minPasswordLength };
    },
    listPlans: async () => (deps.config.payments ? readPlans() : makePlanCards()),
    listPacks: async () => (deps.config.payments ? readPacks() : []),
    publicStats: async () => readStats(),
    llms: documentHandler({ type: 'text/plain', make: () => makeLlmsText(absoluteUrl(deps.config, '')) }),
    health: async () => ({ status: 'ok' as const }),
    readiness: async (_request, reply) => {
      const state = await readReady();
      return reply.status(state.ready ? 200 : 503).send(state);
    },
  });
};

/** Caches the result of `read` for `lifeMs`. Concurrent callers share one call; errors aren't cached. */
function cache<T>(read: () => Promise<T>, lifeMs: number): () => Promise<T> {
  let cached: { value: Promise<T>; untilMs: number } | undefined;
  return () => {
    if (cached && performance.now() < cached.untilMs) return cached.value;
    const entry = { value: read(), untilMs: performance.now() + lifeMs };
    cached = entry;
    entry.value.catch(() => {
      if (cached === entry) cached = undefined;
    });
    return entry.value;
  };
}
