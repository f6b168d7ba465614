/** A number of each day, and what it is called. */
export type DaySeries<K extends string = string> = {
  key: K;
  label: string;
  /** Series of one stack stand on each other. */
  stack?: string;
};
/** The numbers of one day. */
export type DayNumbers<K extends string = string> = { day: string } & Record<K, number>;
