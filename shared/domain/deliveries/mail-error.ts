// Both SES APIs use the following names for throttling and for internal SES errors. If SES returns one of these errors,
// it has not accepted the email.
const throttlingNames = 'Throttl\\w*|TooManyRequests\\w*|LimitExceeded\\w*|RequestLimitExceeded|SlowDown';
const serviceErrorNames = 'ServiceUnavailable\\w*|InternalFailure|InternalServiceError\\w*';
const temporary = new RegExp(`^(${throttlingNames}|${serviceErrorNames})$`);

// SES returns the same error for the daily quota and the sending rate. Only the error message shows which limit was
// exceeded.
const dailyQuota = /daily .*quota exceeded/i;

// If an open connection breaks, SES may have accepted the email.
const brokenConnection: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'];

type MailError =
  /** SES throttled the request or had a temporary error. */
  | 'rate'
  /** The 24-hour quota is used up. */
  | 'quota'
  /** The response was lost. */
  | 'unknown'
  /** SES rejects the recipient. */
  | 'recipient'
  /** The error is on our side: for example, the account is paused or a permission is missing. */
  | 'ours';

/** Classifies an SES error. */
export function readMailError(error: unknown): MailError {
  const { name, message, code, syscall } = Object(error) as Partial<
    Record<'name' | 'message' | 'code' | 'syscall', string>
  >;
  if (temporary.test(name ?? '')) return dailyQuota.test(message ?? '') ? 'quota' : 'rate';
  if (brokenConnection.includes(code) && syscall !== 'connect') return 'unknown';
  if (name === 'InvalidParameterValue') return 'recipient';
  return name === 'MessageRejected' && !/not verified/i.test(message ?? '') ? 'recipient' : 'ours';
}
