import { readMailFeedback } from '../../shared/contract/workers.ts';
import { judgeFeedback } from '../../shared/domain/deliveries/judge-feedback.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { logInfo } from '../../shared/lambda/log.ts';
import { isUuid } from '../../shared/model/text.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = consume(readMailFeedback, [subscriptions], (payloads, { subscriptions }) =>
  Promise.allSettled(
    payloads.map(async (feedback) => {
      const [subscription = ''] = feedback.mail.tags?.subscription ?? [];
      const [topic] = feedback.mail.tags?.topic ?? [];
      const reason = judgeFeedback(feedback);
      // A mail that somebody else sent through our configuration set has no subscription of ours.
      const isPaused =
        reason !== undefined && isUuid(subscription) && (await subscriptions.pause(subscription, reason));
      const { bounceType, bounceSubType } = feedback.bounce ?? {};
      const ids = { mail: feedback.mail.messageId, subscription, topic };
      logInfo('mail feedback', { ...ids, event: feedback.eventType, bounceType, bounceSubType, isPaused });
    }),
  ),
);
