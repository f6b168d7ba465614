import { pluralize } from '../texts/format.ts';

/** What a unit is counted on: a plan has a meter for each kind of job, or one that all share. */
export const meters = ['ai', 'standard', 'shared'] as const;
export type Meter = (typeof meters)[number];
/** The kind of a job: whether it runs a network. */
export type JobMeter = Exclude<Meter, 'shared'>;

/** Whether a unit on this meter pays for a job of this kind. */
export const pays = (meter: Meter, job: Meter) => meter === job || meter === 'shared';

const nouns: Record<Meter, string> = { ai: 'AI image', standard: 'standard image', shared: 'image' };

/** So many units in words: "10 AI images". */
export const countImages = (units: number, meter: Meter) => pluralize(units, nouns[meter]);

/** Shares of an allowance in percent at which its owner is told. */
export const warnedShares = [80, 100] as const;
