import { namesOf } from '../../contract/deployment-names.ts';
import { mailIntervalMs, mailReserveSeconds, mailTimes } from '../../domain/deliveries/mail-pace.ts';
import { timeLeftMs } from '../../lambda/time-left.ts';
import { type DeliveryContext, type DeliveryTools, deliveryContext } from '../delivery-context.ts';
import { type EmailTools, emailSender } from './email-sender.ts';
import { pacer } from './pacer.ts';

type MailTools = DeliveryTools & {
  readonly mail: EmailTools['mailer'];
  readonly settings: {
    readonly emailsPerSecond: number;
    readonly stage: string;
    readonly subscriptionsPerTask: number;
    readonly repeatUnknownMails: boolean;
  };
};

type Own = Pick<DeliveryContext, 'laterLane' | 'onFailed' | 'onAttempted'> &
  Pick<EmailTools, 'footUrl' | 'onFault' | 'quota' | 'frame'> & {
    /** What all copies of the lane together may send. */
    readonly mailsPerSecond: number;
    readonly sleep: (milliseconds: number) => Promise<unknown>;
  };

/** The context of one invocation of a function that delivers by e-mail, at its lane's share of the sending rate. */
export function mailContext(
  tools: MailTools,
  { mailsPerSecond, sleep, footUrl, onFault, quota, frame, ...own }: Own,
): DeliveryContext {
  const { now, settings } = tools;
  const { functionSeconds, ...times } = mailTimes(settings);
  // What came before (a secret that was read) took of the function's time already.
  const leftMs = Math.min(functionSeconds * 1000, timeLeftMs() ?? Number.POSITIVE_INFINITY);
  const latest = now() + leftMs - mailReserveSeconds * 1000;
  const sender = emailSender({
    mailer: tools.mail,
    pacer: pacer({ intervalMs: mailIntervalMs(mailsPerSecond), latest, now, sleep }),
    quota,
    configurationSet: namesOf(settings.stage).configurationSet,
    frame,
    repeatsUnknown: settings.repeatUnknownMails,
    footUrl,
    onFault,
  });
  return deliveryContext(tools, { ...own, sender, ...times });
}
