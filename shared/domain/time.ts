export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * 3600 * 1000;

/** Formats a time (epoch milliseconds) as RFC 3339 in UTC with milliseconds. These strings sort by time. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
