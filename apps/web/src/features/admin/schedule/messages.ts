/** UI strings of the scheduling dialog. The caller provides the title and the buttons. */
export const scheduleMessages = {
  date: 'Date',
  time: 'Time',
  zone: (zone: string) => `Time zone: ${zone}`,
  result: (local: string, utc: string) => `${local} (${utc} UTC)`,
  skipped: (time: string) => `Clocks move forward and skip this time. ${time} is used instead.`,
  repeated: 'Clocks move back, so this time occurs twice. The first one is used.',
  past: 'Choose a time in the future.',
  incomplete: 'Choose a date and a time.',
} as const;
