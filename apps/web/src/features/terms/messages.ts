import { formatDay } from '@uprez/contracts/texts/format';

export const termsMessages = {
  banner: 'New terms of service',
  announced: (day: string) =>
    `Our terms of service change on ${formatDay(day)}. Accept them to keep processing images.`,
  required: 'Our terms of service have changed. Accept them to continue processing images.',
  read: 'Read the terms and changes',
  accept: 'Accept',
  accepted: 'You accepted the new terms of service',
  failed: "Couldn't accept the terms",
} as const;
