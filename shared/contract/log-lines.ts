/** The log line of a delivery that has failed for good. */
export const deliveryFailed = 'delivery failed';

/** The log line of a fault of ours, which counts as one of the metric `Faults`. */
export const faultLogged = 'failed';

/** The warning that a recovery left out a message that was never sent out: no fault, for `stuckTask` has told of it. */
export const recoveryPassedOver = 'recovery passed over';

/** The log line of an import that is over, with what became of its lines. */
export const importEnded = 'import ended';

/** The log line of an access token that was not taken, with the reason. */
export const tokenRefused = 'token refused';

/** The line of one attempt to deliver, at level DEBUG: the cloud drops it, the laptop shows it. */
export const deliveryAttempted = 'attempted';

/** The environment variable that tells a function its bundle's hash, which a fault's line carries as `bundle`. */
export const bundleVariable = 'BUNDLE_HASH';
