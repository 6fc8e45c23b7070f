const encodesNothing = /%(?![0-9a-f]{2})/i;

/**
 * What is wrong with the percent signs of a query (RFC 3986 section 2.1), for the caller; undefined where nothing is. AWS does not
 * say what API Gateway makes of `100%`. Passed on as it stands it would be a text that nobody has, and a search would find nobody.
 */
export const percentFault = (query: string): string | undefined =>
  encodesNothing.test(query) ? 'a percent sign in the query encodes nothing: write it as %25' : undefined;
