export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en');
export const ratio = (value: number): string => value.toFixed(2);

/** Formats the median and, in parentheses, the smallest value. */
export const spread = (values: readonly number[], digits = 1): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)})`;
