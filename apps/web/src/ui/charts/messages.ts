/** Texts of charts of a number a day. */
export const dayChartMessages = {
  view: 'Show as',
  views: { chart: 'Chart', table: 'Table' },
  day: 'Day',
  loading: 'Loading the chart',
  quiet: 'Nothing happened on these days.',
} as const;
