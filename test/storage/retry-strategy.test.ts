import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isGivenUp, withinInvocation, yieldingToRecords } from '../../shared/lambda/time-left.ts';
import { pauseAfter, retryStrategy } from '../../shared/storage/retry-strategy.ts';

const random = (value: number) => void vi.spyOn(Math, 'random').mockReturnValue(value);
beforeEach(() => random(0.999_999));

const error = (name: string) => Object.assign(new Error(name), { name });
const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/**
 * Counts the attempts in a simulated invocation in which time passes only during pauses. `longest` is the longest
 * pause.
 */
async function triesOf(fault: Error, errorType: 'THROTTLING' | 'TRANSIENT' | 'CLIENT_ERROR', invocationMs?: number) {
  let leftMs = invocationMs ?? 0;
  const pauses: number[] = [];
  const work = async () => {
    let token = await retryStrategy.acquireInitialRetryToken('');
    for (;;) {
      token = await retryStrategy.refreshRetryTokenForRetry(token, { error: fault as never, errorType });
      pauses.push(token.getRetryDelay());
      leftMs -= token.getRetryDelay();
    }
  };
  const end = invocationMs === undefined ? work() : withinInvocation(() => leftMs, work);
  await expect(end).rejects.toBe(fault);
  return { tries: pauses.length + 1, longest: Math.max(0, ...pauses), leftMs };
}

it('a throttled call is retried until the invocation is nearly over, with pauses of at most one second', async () => {
  const { tries, longest, leftMs } = await triesOf(error('ThrottlingException'), 'THROTTLING', 25_000);
  expect(tries).toBeGreaterThan(25);
  expect(longest).toBeLessThanOrEqual(1000);
  expect(leftMs).toBeGreaterThanOrEqual(500);
  expect(leftMs).toBeLessThan(1500);
});

it('the number of retries of a throttled call does not depend on other throttled calls in the same process', async () => {
  const many = await Promise.all(
    Array.from({ length: 200 }, () => triesOf(error('ThrottlingException'), 'THROTTLING', 10_000)),
  );
  expect(new Set(many.map(({ tries }) => tries)).size).toBe(1);
  expect(many[0]?.tries).toBeGreaterThan(10);
});

it('a throttled call is marked as given up after its last retry, but a call that DynamoDB rejects is not', async () => {
  const [throttled, refused] = [error('ThrottlingException'), error('AccessDeniedException')];
  await triesOf(throttled, 'THROTTLING', 5000);
  await triesOf(refused, 'CLIENT_ERROR', 5000);
  expect([throttled, refused].map(isGivenUp)).toEqual([true, false]);
});

it('a throttled call is not retried if no time is left', async () => {
  expect(await triesOf(error('ThrottlingException'), 'THROTTLING', 400)).toMatchObject({ tries: 1 });
});

it('a throttled call is attempted eight times outside an invocation', async () => {
  expect(await triesOf(error('ThrottlingException'), 'THROTTLING')).toMatchObject({ tries: 8 });
});

describe('retries', () => {
  it.each([
    ['a lost response', error('TimeoutError'), 'TRANSIENT'],
    ['a transaction that conflicts with another transaction', cancelled('TransactionConflict', 'None'), 'CLIENT_ERROR'],
    ['a transaction that is throttled', cancelled('None', 'ThrottlingError'), 'CLIENT_ERROR'],
    ['a transaction that exceeds the throughput', cancelled('ProvisionedThroughputExceeded'), 'CLIENT_ERROR'],
    [
      'a write to a row that a transaction is changing',
      new TransactionConflictException({ message: 'held', $metadata: {} }),
      'CLIENT_ERROR',
    ],
  ] as const)('retries are made after %s', async (_what, fault, errorType) => {
    expect((await triesOf(fault, errorType, 5000)).tries).toBeGreaterThan(5);
  });

  it.each([
    ['a server error', error('ValidationException')],
    ['a failed condition', cancelled('ConditionalCheckFailed', 'None')],
    ['a failed condition combined with throttling', cancelled('ConditionalCheckFailed', 'ThrottlingError')],
    ['a transaction that is too large', cancelled('ValidationError')],
  ] as const)('no retries are made after %s', async (_what, fault) => {
    expect(await triesOf(fault, 'CLIENT_ERROR', 5000)).toMatchObject({ tries: 1 });
  });
});

it('a pause between retries lasts a random fraction of a limit that doubles with each retry, up to one second', () => {
  random(0);
  expect([1, 5, 50].map(pauseAfter)).toEqual([0, 0, undefined]);
  random(0.5);
  const spans = withinInvocation(
    () => 60_000,
    () => [1, 2, 3, 6, 7, 60].map(pauseAfter),
  );
  expect(spans).toEqual([12.5, 25, 50, 400, 500, 500]);
});

it('a pause before a request to a receiver is four times as long, so that other deliveries are recorded first', () => {
  random(0.5);
  const spans = yieldingToRecords(
    () => 60_000,
    () => [1, 2, 60].map(pauseAfter),
  );
  expect(spans).toEqual([50, 100, 2000]);
});
