export const timeRange = {
  label: 'Time',
  all: 'All time',
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
  own: 'Custom range…',
  from: 'From',
  to: 'To',
};
