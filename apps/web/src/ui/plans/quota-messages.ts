export const quotaMessages = {
  meters: { ai: 'AI images', standard: 'Standard images', shared: 'Images' },
  used: (used: string, total: string) => `${used} of ${total}`,
  resets: (date: string) => `Resets ${date}.`,
  granted: (units: string) => `Includes ${units} added to your plan.`,
  forecast: (date: string) => `At this rate, you'll reach your limit around ${date}.`,
  stopped: (date: string) => `Processing is paused until ${date}.`,
  stoppedOne: (these: string, date: string, others: string) =>
    `${these} are used up until ${date}. ${others} are still available.`,
  beyond: (units: string) => `${units} over your quota. Processing continues.`,
  plans: 'View plans',
  larger: (name: string, images: string, price: number) => `${name} includes ${images} per month for $${price}.`,
} as const;
