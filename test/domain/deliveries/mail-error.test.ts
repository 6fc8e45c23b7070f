import { expect, it } from 'vitest';
import { readMailError } from '../../../shared/domain/deliveries/mail-error.ts';

type Given = Readonly<Partial<Record<'name' | 'message' | 'code' | 'syscall', string>>>;

it.each<[string, Given, ReturnType<typeof readMailError>]>([
  ['an excessive sending rate', { name: 'Throttling', message: 'Maximum sending rate exceeded.' }, 'rate'],
  ['an excessive sending rate (API version 2)', { name: 'TooManyRequestsException', message: 'Too fast' }, 'rate'],
  ['an SES error', { name: 'ServiceUnavailable' }, 'rate'],
  ['an exhausted daily quota', { name: 'Throttling', message: 'Daily message quota exceeded.' }, 'quota'],
  [
    'an exhausted daily quota, as worded in the SES documentation',
    { name: 'ThrottlingException', message: 'Daily sending quota exceeded' },
    'quota',
  ],
  ['a response that timed out', { name: 'TimeoutError', code: 'ETIMEDOUT' }, 'unknown'],
  ['a broken connection', { name: 'TimeoutError', code: 'ECONNRESET', message: 'socket hang up' }, 'unknown'],
  ['a connection that timed out', { name: 'TimeoutError', message: 'did not establish a connection' }, 'ours'],
  ['a connection attempt that timed out', { name: 'TimeoutError', code: 'ETIMEDOUT', syscall: 'connect' }, 'ours'],
  ['a rejected connection', { name: 'Error', code: 'ECONNREFUSED', syscall: 'connect' }, 'ours'],
  ['a bad address', { name: 'InvalidParameterValue' }, 'recipient'],
  ['a virus', { name: 'MessageRejected', message: 'Bad content' }, 'recipient'],
  ['an unverified sender', { name: 'MessageRejected', message: 'Email address is not verified.' }, 'ours'],
  ['a missing permission', { name: 'AccessDenied' }, 'ours'],
])('readMailError classifies %s', (_what, error, refusal) => {
  expect(readMailError(Object.assign(new Error(error.message), error))).toBe(refusal);
});
