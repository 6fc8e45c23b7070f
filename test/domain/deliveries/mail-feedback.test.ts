import { expect, it } from 'vitest';
import { mailFeedback, pauseReasonOf } from '../../../shared/domain/deliveries/mail-feedback.ts';
import { aBounce, aComplaint, aReject } from '../../harness/mail-feedback.ts';

it.each([
  ['a permanent bounce', aBounce('Permanent'), 'bounce'],
  ['a full mailbox', aBounce('Transient'), undefined],
  ['a bounce of undetermined type', aBounce('Undetermined'), undefined],
  ['a complaint without a type', aComplaint(undefined), 'complaint'],
  ['an abuse report', aComplaint('abuse'), 'complaint'],
  ['a report that an email is not spam', aComplaint('not-spam'), undefined],
  ['an email that SES rejected', aReject(), undefined],
] as const)('pauseReasonOf returns the pause reason for %s, or undefined if there is none', (_what, event, verdict) => {
  expect(pauseReasonOf(mailFeedback.parse(event))).toBe(verdict);
});
