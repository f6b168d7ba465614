/** What is known about an error with a code. */
export type ErrorRow = {
  /** HTTP status. */
  status: number;
  /** The sentence shown when the error carries no detail. */
  title: string;
  /** Whether a client may repeat the same request. */
  retry: boolean;
  /** Whether operators are alerted. */
  report: boolean;
  /**
   * What a message says about the charge of the request or job that ends with this error. False: there is none. `once`: one
   * may follow, but the repeated request isn't charged in addition.
   */
  charged?: false | 'once';
};
/** An error with its HTTP status and title. */
export const row = (status: number, title: string, flags: Partial<ErrorRow> = {}): ErrorRow => ({
  ...{ status, title, retry: false, report: false },
  ...flags,
});

/** An error after which nothing is charged. */
export const uncharged = (status: number, title: string, flags: Partial<ErrorRow> = {}): ErrorRow =>
  row(status, title, { ...flags, charged: false });
