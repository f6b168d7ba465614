/** Texts of daily charts. */
export const dayChartMessages = {
  view: 'Show as',
  views: { chart: 'Chart', table: 'Table' },
  day: 'Day',
  loading: 'Loading chart',
  quiet: 'No data for this period.',
} as const;
