/** Texts of quota meters. */
export const quotaMessages = {
  meters: { ai: 'AI images', standard: 'Standard images', shared: 'Images' },
  used: (used: string, total: string) => `${used} of ${total}`,
  resets: (date: string) => `Resets ${date}.`,
  granted: (units: string) => `${units} of them were granted besides the plan.`,
  forecast: (date: string) => `Used up about ${date} at this pace.`,
  stopped: (date: string) => `Processing pauses until ${date}.`,
  stoppedOne: (these: string, date: string, others: string) => `${these} pause until ${date}. ${others} go on.`,
  beyond: (units: string) => `${units} beyond the plan. Processing goes on.`,
  plans: 'See the plans',
  larger: (name: string, images: string, price: number) => `${name}: ${images} a month for $${price}.`,
} as const;
