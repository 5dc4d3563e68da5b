export const timeRange = {
  label: 'Time',
  all: 'All time',
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
  own: 'Own range…',
  from: 'From',
  to: 'Until',
};
