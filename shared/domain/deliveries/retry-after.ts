const longestSeconds = 24 * 3600;

const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const time = String.raw`\d\d:\d\d:\d\d`;
// The three forms of an HTTP date (RFC 9110 section 5.6.7): IMF-fixdate, RFC 850, asctime.
const zonedDate = new RegExp(
  `^(?:${day}, \\d\\d [A-Z][a-z]{2} \\d{4}|[A-Z][a-z]+day, \\d\\d-[A-Z][a-z]{2}-\\d\\d) ${time} GMT$`,
);
const asctimeDate = new RegExp(`^${day} [A-Z][a-z]{2} [ \\d]\\d ${time} \\d{4}$`);

function readDate(text: string): number {
  if (zonedDate.test(text)) return Date.parse(text);
  return asctimeDate.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}

/**
 * Reads a `Retry-After` header (RFC 9110 section 10.2.3): seconds, or an HTTP date.
 * @param now epoch milliseconds, from which a date counts
 * @returns whole seconds from now, 0 to 86400 (more is cut to a day); undefined for anything else than the two
 */
export function readRetryAfter(header: string, now: number): number | undefined {
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((readDate(text) - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longestSeconds);
}
