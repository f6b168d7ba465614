/** Text of the careers page while no position is open, followed by "Write to" and the email address. */
export const noPositionsTexts = [
  'We have no open positions right now.',
  'You can still tell us what you would like to work on.',
] as const;
export const writeTo = 'Write to';
