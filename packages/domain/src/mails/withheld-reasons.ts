/** Why an email isn't sent on purpose, as the outbox stores it. */
export const withheldReasons = {
  unconfirmed: 'the address was never confirmed',
  switchedOff: 'such mails are switched off',
  deleted: 'the account is gone',
  takenBack: 'the mail was taken back',
} as const;
