import { namesOf } from '../../contract/deployment-names.ts';
import { mailIntervalMs, mailReserveSeconds, mailTimes } from '../../domain/deliveries/mail-pace.ts';
import { timeLeftMs } from '../../lambda/time-left.ts';
import { type DeliveryContext, type DeliveryTools, deliveryContext } from '../delivery-context.ts';
import type { Tools } from '../tools.ts';
import { type EmailTools, emailSender } from './email-sender.ts';
import { pacer } from './pacer.ts';

type MailTools = DeliveryTools & Tools<'mail:send', 'emailsPerSecond' | 'stage' | 'repeatUnknownMails'>;

type LaneOptions = Pick<DeliveryContext, 'laterLane' | 'onFailed' | 'onAttempted'> &
  Pick<EmailTools, 'footUrl' | 'onError' | 'quota' | 'frame'> & {
    readonly mailsPerSecond: number;
    readonly sleep: (milliseconds: number) => Promise<unknown>;
  };

/** Creates the context for one invocation that sends emails. The sending rate is limited to the share of the lane. */
export function mailContext(tools: MailTools, options: LaneOptions): DeliveryContext {
  const { now, settings } = tools;
  const { functionSeconds, ...times } = mailTimes(settings);
  // Earlier work in this invocation, such as reading a secret, may have used some of the available time.
  const leftMs = Math.min(functionSeconds * 1000, timeLeftMs() ?? Number.POSITIVE_INFINITY);
  const latest = now() + leftMs - mailReserveSeconds * 1000;
  const sender = emailSender({
    ...options,
    mailer: tools.mail,
    pacer: pacer({ intervalMs: mailIntervalMs(options.mailsPerSecond), latest, now, sleep: options.sleep }),
    configurationSet: namesOf(settings.stage).configurationSet,
    retriesUnknown: settings.repeatUnknownMails,
  });
  return deliveryContext(tools, { ...options, sender, ...times });
}
