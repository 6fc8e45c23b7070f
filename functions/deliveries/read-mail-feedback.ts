import { readMailFeedback } from '../../shared/contract/workers.ts';
import { pauseReasonOf } from '../../shared/domain/deliveries/mail-feedback.ts';
import type { Content } from '../../shared/domain/deliveries/message.ts';
import { isUuid } from '../../shared/domain/text.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { logInfo } from '../../shared/lambda/logger.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

const confirmation: Content['type'] = 'SubscriptionConfirmation';

export const handler = consume(readMailFeedback, [subscriptions], (payloads, { subscriptions }) =>
  Promise.allSettled(
    payloads.map(async (feedback) => {
      const { messageId: mail, timestamp, tags } = feedback.mail;
      const [[subscription = ''] = [], [topic] = [], [generation = ''] = [], [message = ''] = [], [type] = []] = [
        ...[tags?.subscription, tags?.topic, tags?.generation, tags?.message, tags?.type],
      ];
      const reason = pauseReasonOf(feedback);
      // Emails from other senders that use our configuration set have no subscription tag.
      const isOurs = reason !== undefined && isUuid(subscription);
      const sent = { generation, sentAt: Date.parse(timestamp) };
      // If a confirmation request bounces, only the request expires. The subscription is not paused.
      const isRequest = type === confirmation;
      const isEnded = isOurs && isRequest && (await subscriptions.expireRequest(subscription, message));
      const isPaused = isOurs && !isRequest && (await subscriptions.pause(subscription, reason, sent));
      const { bounceType, bounceSubType } = feedback.bounce ?? {};
      const ids = { mail, subscription, topic, messageId: message };
      logInfo('mail feedback', { ...ids, event: feedback.eventType, bounceType, bounceSubType, isPaused, isEnded });
    }),
  ),
);
