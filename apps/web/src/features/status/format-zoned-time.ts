const zoned = new Intl.DateTimeFormat('en-US', {
  ...{ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  timeZoneName: 'short',
});

/** `Nov 5, 2026, 12:30 PM GMT+1`: readers compare times of incidents with those of other people. */
export const formatZonedTime = (date: string): string => zoned.format(new Date(date));
