/** A moment (epoch milliseconds) as RFC 3339 in UTC, with milliseconds: such texts sort by time. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
