/** An email that the server rejected. `message` contains no email address. */
export class MailError extends Error {
  /** Whether retrying is pointless. */
  readonly isPermanent: boolean;

  constructor(message: string, isPermanent: boolean) {
    super(message);
    this.name = 'MailError';
    this.isPermanent = isPermanent;
  }
}
