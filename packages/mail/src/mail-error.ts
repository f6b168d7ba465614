/** Why a mail was not taken. `message` names no address. */
export class MailError extends Error {
  /** The server will never take this mail for this address: trying again is of no use. */
  readonly isPermanent: boolean;

  constructor(message: string, isPermanent: boolean) {
    super(message);
    this.name = 'MailError';
    this.isPermanent = isPermanent;
  }
}
