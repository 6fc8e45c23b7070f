// Both SES APIs use these error names for throttling and for internal SES errors. The email was not accepted.
const throttlingNames = 'Throttl\\w*|TooManyRequests\\w*|LimitExceeded\\w*|RequestLimitExceeded|SlowDown';
const serviceErrorNames = 'ServiceUnavailable\\w*|InternalFailure|InternalServiceError\\w*';
const temporary = new RegExp(`^(${throttlingNames}|${serviceErrorNames})$`);

// SES uses one error for the daily quota and the sending rate. Only the message distinguishes them.
const dailyQuota = /daily .*quota exceeded/i;

// An open connection failed or timed out, so SES may have accepted the email.
const brokenConnection: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'];

/**
 * Classifies an SES error. `rate`: throttling, or a temporary SES error. `quota`: the 24-hour quota is used up.
 * `unknown`: the response was lost. `recipient`: SES rejects the recipient. `ours`: everything else, such as a paused
 * account or a missing permission.
 */
export function readMailError(error: unknown): 'rate' | 'quota' | 'unknown' | 'recipient' | 'ours' {
  const { name, message, code, syscall } = Object(error) as Partial<
    Record<'name' | 'message' | 'code' | 'syscall', string>
  >;
  if (temporary.test(name ?? '')) return dailyQuota.test(message ?? '') ? 'quota' : 'rate';
  if (brokenConnection.includes(code) && syscall !== 'connect') return 'unknown';
  if (name === 'InvalidParameterValue') return 'recipient';
  return name === 'MessageRejected' && !/not verified/i.test(message ?? '') ? 'recipient' : 'ours';
}
