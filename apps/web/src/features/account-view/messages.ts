import { formatCount } from '@uprez/contracts/texts/format';

export const accountViewMessages = {
  banner: 'Viewed account',
  notice: (email: string) => `You're viewing the account of ${email}. You can't make changes.`,
  left: (minutes: number) => (minutes <= 1 ? 'Less than 1 minute left.' : `${formatCount(minutes)} minutes left.`),
  stop: 'Stop viewing',
  stopFailed: "Couldn't stop viewing",
} as const;
