import { expect, it } from 'vitest';
import { mailFeedback, pauseReasonOf } from '../../../shared/domain/deliveries/mail-feedback.ts';
import { aBounce, aComplaint, aReject } from '../../harness/mail-feedback.ts';

it.each([
  ['a permanent bounce', aBounce('Permanent'), 'bounce'],
  ['a full mailbox', aBounce('Transient'), undefined],
  ['a bounce of an unknown kind', aBounce('Undetermined'), undefined],
  ['a complaint without a kind', aComplaint(undefined), 'complaint'],
  ['a report of abuse', aComplaint('abuse'), 'complaint'],
  ['a report that it is not spam', aComplaint('not-spam'), undefined],
  ['a mail that SES rejects', aReject(), undefined],
] as const)('of %s', (_what, event, verdict) => {
  expect(pauseReasonOf(mailFeedback.parse(event))).toBe(verdict);
});
