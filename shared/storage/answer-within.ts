/**
 * What a client of AWS is made with so that a request without an answer does not take all of a function's time: it is ended after so
 * many milliseconds, and may be made again. Without `throwOnRequestTimeout` the SDK would but warn.
 */
export const answerWithin = (milliseconds: number) => ({
  connectionTimeout: 1000,
  requestTimeout: milliseconds,
  throwOnRequestTimeout: true,
});
