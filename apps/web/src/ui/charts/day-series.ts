/** A number per day with its label. */
export type DaySeries<K extends string = string> = {
  key: K;
  label: string;
  /** Series with the same stack are stacked. */
  stack?: string;
};
/** The numbers of one day. */
export type DayNumbers<K extends string = string> = { day: string } & Record<K, number>;
