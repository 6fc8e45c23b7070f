// SES's names for "too fast", in its first and second API, and its own faults: the mail was not taken.
const PASSING =
  /^(Throttl\w*|TooManyRequests\w*|LimitExceeded\w*|RequestLimitExceeded|SlowDown|ServiceUnavailable\w*|InternalFailure|InternalServiceError\w*)$/;

// By its message only: SES gives the daily quota and the sending rate one name.
const QUOTA = /daily .*quota exceeded/i;

// The connection was there, and broke or fell silent. SES may have taken the mail.
const BROKEN: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'];

/**
 * Why a mail was not taken, by the error of the call. `rate`: too fast, or a passing fault of SES. `quota`: the mails of
 * 24 hours are spent. `unknown`: the answer was lost, and with it whether the mail was taken. `recipient`: for its
 * recipient's sake, which SES says by two names only; the first also where our own sender is not verified. `ours`:
 * everything else, such as a paused account, a missing grant or configuration set.
 */
export function readMailRefusal(error: unknown): 'rate' | 'quota' | 'unknown' | 'recipient' | 'ours' {
  const { name, message, code, syscall } = Object(error) as Partial<
    Record<'name' | 'message' | 'code' | 'syscall', string>
  >;
  if (PASSING.test(name ?? '')) return QUOTA.test(message ?? '') ? 'quota' : 'rate';
  if (BROKEN.includes(code) && syscall !== 'connect') return 'unknown';
  if (name === 'InvalidParameterValue') return 'recipient';
  return name === 'MessageRejected' && !/not verified/i.test(message ?? '') ? 'recipient' : 'ours';
}
