import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mailBatchSize,
  mailCopies,
  mailIntervalMs,
  mailRates,
  mailReserveSeconds,
  mailTimes,
} from '../../../shared/domain/deliveries/mail-pace.ts';
import { maxBatchAttempts } from '../../../shared/domain/deliveries/shards.ts';

const rates = fc.integer({ min: 1, max: 200 });

describe('the sending rate', () => {
  it('the function instances of a lane never exceed the sending rate, even if they all send at the same time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 200 }), (rate) => {
        const perSecond = Math.ceil(1000 / mailIntervalMs(rate));
        expect(mailCopies * perSecond).toBeLessThanOrEqual(rate);
      }),
    );
  });

  it('the lanes combined do not exceed the sending rate in any hour', () => {
    fc.assert(
      fc.property(rates, (rate) => {
        const { events, confirmations } = mailRates(rate);
        const perHour = [events, confirmations].map((share) => (mailCopies * 3_600_000) / mailIntervalMs(share));
        expect(perHour.reduce((sum, mails) => sum + mails)).toBeLessThanOrEqual(rate * 3600);
      }),
    );
  });

  it('six sevenths of the sending rate is reserved for emails about events', () => {
    expect(mailRates(14)).toEqual({ events: 12, confirmations: 2 });
  });

  it('each function instance of a lane sends one email every two seconds if the lane sends one email per second', () => {
    expect(mailIntervalMs(1)).toBe(2000);
  });

  it('at 14 emails per second, each function instance sends 6 event emails or one confirmation request per second', () => {
    expect(mailIntervalMs(12)).toBe(167);
    expect(mailIntervalMs(2)).toBe(1000);
  });
});

it('the function time limit is at most 900 seconds, the lease is longer, and the visibility timeout is the longest', () => {
  fc.assert(
    fc.property(rates, (emailsPerSecond) => {
      const times = mailTimes({ emailsPerSecond });
      expect(times.functionSeconds).toBeLessThanOrEqual(900);
      expect(times.leaseSeconds).toBeGreaterThan(times.functionSeconds);
      expect(times.visibilitySeconds).toBeGreaterThan(times.leaseSeconds);
    }),
  );
});

it('the function time limit is long enough for a batch of the largest tasks', () => {
  fc.assert(
    fc.property(rates, (emailsPerSecond) => {
      const { functionSeconds } = mailTimes({ emailsPerSecond });
      const mails = mailBatchSize * maxBatchAttempts;
      const sendingSeconds = (mails * mailIntervalMs(mailRates(emailsPerSecond).events)) / 1000;
      expect(functionSeconds - mailReserveSeconds).toBeGreaterThanOrEqual(sendingSeconds);
    }),
  );
});

it('the function time limits match the examples in the documentation', () => {
  expect(mailTimes({ emailsPerSecond: 14 }).functionSeconds).toBe(79);
  expect(mailTimes({ emailsPerSecond: 1 }).functionSeconds).toBe(599);
});
