import { pluralize } from '../../texts/format.ts';

/** Meters on which usage is counted. A plan has a meter for each kind of job, or one meter that all jobs share. */
export const meters = ['ai', 'standard', 'shared'] as const;
export type Meter = (typeof meters)[number];
/** Meter of a job: `ai` if it runs an AI model, otherwise `standard`. */
export type JobMeter = Exclude<Meter, 'shared'>;

export const coversJob = (meter: Meter, job: Meter) => meter === job || meter === 'shared';

/** Whether a pack of one meter adds to a quota on another. A shared quota covers images of all kinds, so every pack adds to it. */
export const addsToQuota = (pack: Meter, quota: Meter) => quota === 'shared' || coversJob(pack, quota);

const nouns: Record<Meter, string> = { ai: 'AI image', standard: 'standard image', shared: 'image' };

export const countImages = (units: number, meter: Meter) => pluralize(units, nouns[meter]);

export const warningPercentages = [80, 100] as const;
