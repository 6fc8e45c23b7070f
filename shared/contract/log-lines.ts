/** Logged for a delivery that has failed permanently. */
export const deliveryFailed = 'delivery failed';

/** Logged for an internal error, which counts in the metric `Faults`. */
export const internalErrorLogged = 'failed';

/** Logged as a warning when a recovery skips an unsent message that `stuckTask` has already reported as an error. */
export const recoverySkipped = 'recovery skipped a message';

/** Logged when an import ends, with the number of lines for each result. */
export const importEnded = 'import ended';

/** Logged for a rejected access token, with the reason. */
export const tokenRefused = 'token rejected';

/** Logged for each attempt at level DEBUG. Lambda drops DEBUG lines; the local stack shows them. */
export const deliveryAttempted = 'attempted';

/** The environment variable with the hash of the function's bundle. Errors are logged with the hash as `bundle`. */
export const bundleVariable = 'BUNDLE_HASH';
