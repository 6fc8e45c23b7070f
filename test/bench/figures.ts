/** Returns the quantile: the number below which this `share` of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const whole = (value: number): string => Math.round(value).toLocaleString('en');
export const ratio = (value: number): string => value.toFixed(2);

/** Formats the median and, in parentheses, the smallest value. */
export const spread = (values: readonly number[], digits = 1): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)})`;
