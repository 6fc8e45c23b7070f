import { expect, it } from 'vitest';
import { readMailRefusal } from '../../../shared/domain/deliveries/mail-refusal.ts';

type Given = Readonly<Partial<Record<'name' | 'message' | 'code' | 'syscall', string>>>;

it.each<[string, Given, ReturnType<typeof readMailRefusal>]>([
  ['too fast', { name: 'Throttling', message: 'Maximum sending rate exceeded.' }, 'rate'],
  ['too fast, by the second API', { name: 'TooManyRequestsException', message: 'Too fast' }, 'rate'],
  ['a fault of SES', { name: 'ServiceUnavailable' }, 'rate'],
  ['a spent day', { name: 'Throttling', message: 'Daily message quota exceeded.' }, 'quota'],
  [
    'a spent day, in the words of the help pages',
    { name: 'ThrottlingException', message: 'Daily sending quota exceeded' },
    'quota',
  ],
  ['an answer that took too long', { name: 'TimeoutError', code: 'ETIMEDOUT' }, 'unknown'],
  ['a connection that broke', { name: 'TimeoutError', code: 'ECONNRESET', message: 'socket hang up' }, 'unknown'],
  ['no connection in time', { name: 'TimeoutError', message: 'did not establish a connection' }, 'ours'],
  ['a connection that timed out', { name: 'TimeoutError', code: 'ETIMEDOUT', syscall: 'connect' }, 'ours'],
  ['a connection refused', { name: 'Error', code: 'ECONNREFUSED', syscall: 'connect' }, 'ours'],
  ['a bad address', { name: 'InvalidParameterValue' }, 'recipient'],
  ['a virus', { name: 'MessageRejected', message: 'Bad content' }, 'recipient'],
  ['our own sender', { name: 'MessageRejected', message: 'Email address is not verified.' }, 'ours'],
  ['a missing grant', { name: 'AccessDenied' }, 'ours'],
])('%s', (_what, error, refusal) => {
  expect(readMailRefusal(Object.assign(new Error(error.message), error))).toBe(refusal);
});
