import type { SiteSettings } from '@uprez/contracts/schemas/settings';
import type { EngineJobs } from '@uprez/db/queries/analytics/read-jobs';
import { divide, sumOf } from './read-span.ts';

const hourMs = 3_600_000;

/** Without the noise of binary fractions. */
const round = (dollars: number) => Math.round(dollars * 1e8) / 1e8;

/** US dollars per engine hour, by engine. */
export type HourPrices = ReadonlyMap<string, number>;

/** The prices that administrators entered in cents. */
export const readHourPrices = ({ engineHourCosts }: Pick<SiteSettings, 'engineHourCosts'>): HourPrices =>
  new Map(Object.entries(engineHourCosts).map(([engine, cents]) => [engine, cents / 100]));

/**
 * Engine hours x price per hour in US dollars, and the same per delivered image. Engines without a price count in neither. Null
 * without any job of an engine with a price.
 */
export function computeCosts(groups: readonly EngineJobs[], prices: HourPrices) {
  const priced = groups.filter(({ engine }) => prices.has(engine));
  if (priced.length === 0) return { cost: null, costPerImage: null };
  const cost = sumOf(priced, ({ engine, engineMs }) => (engineMs / hourMs) * (prices.get(engine) ?? 0));
  const perImage = divide(
    cost,
    sumOf(priced, ({ completed }) => completed),
  );
  return { cost: round(cost), costPerImage: perImage === null ? null : round(perImage) };
}
