/** Logged for a delivery that has failed permanently. */
export const deliveryFailed = 'delivery failed';

/** Logged for an internal error, which counts in the metric `Faults`. */
export const internalErrorLogged = 'failed';

/** Logged as a warning when a recovery skips an unsent message, which the error `stuckTask` has already reported. */
export const recoverySkipped = 'recovery skipped a message';

/** Logged when an import ends, with the results of its lines. */
export const importEnded = 'import ended';

/** Logged for a rejected access token, with the reason. */
export const tokenRefused = 'token rejected';

/** Logged for each attempt at level DEBUG, which Lambda drops and the local stack shows. */
export const deliveryAttempted = 'attempted';

/** The environment variable with the hash of the function's bundle. Errors are logged with it as `bundle`. */
export const bundleVariable = 'BUNDLE_HASH';
