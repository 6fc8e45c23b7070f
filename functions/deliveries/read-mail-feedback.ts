import { readMailFeedback } from '../../shared/contract/workers.ts';
import { pauseReasonOf } from '../../shared/domain/deliveries/mail-feedback.ts';
import type { Content } from '../../shared/domain/deliveries/message.ts';
import { deliveryExpiry } from '../../shared/domain/deliveries/times.ts';
import { isUuid } from '../../shared/domain/text.ts';
import { minuteMs } from '../../shared/domain/time.ts';
import { statusTopicUuid } from '../../shared/domain/topics/topic.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { logInfo } from '../../shared/lambda/logger.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

const confirmation: Content['type'] = 'SubscriptionConfirmation';

export const handler = consume(readMailFeedback, [subscriptions, deliveries], (payloads, tools) =>
  Promise.allSettled(
    payloads.map(async (feedback) => {
      const { messageId: mail, timestamp, tags } = feedback.mail;
      const [[subscription = ''] = [], [topic] = [], [generation = ''] = [], [message = ''] = [], [type] = []] = [
        ...[tags?.subscription, tags?.topic, tags?.generation, tags?.message, tags?.type],
      ];
      const reason = pauseReasonOf(feedback);
      // If another sender uses our configuration set, the sender's emails have no subscription tag.
      const isOurs = reason !== undefined && isUuid(subscription);
      const sent = { generation, sentAt: Date.parse(timestamp) };
      // If a confirmation request bounces, only the request expires. The subscription is not paused.
      const isRequest = type === confirmation;
      const isEnded = isOurs && isRequest && (await tools.subscriptions.expireRequest(subscription, message));
      const isEvent = isOurs && !isRequest;
      if (isEvent && topic !== statusTopicUuid) {
        const at = tools.now() + minuteMs;
        await tools.deliveries.scheduleStatusCheck(subscription, at, deliveryExpiry(at, tools.settings.deliveryDays));
      }
      const isPaused = isEvent && (await tools.subscriptions.pause(subscription, reason, sent));
      const { bounceType, bounceSubType } = feedback.bounce ?? {};
      const ids = { mail, subscription, topic, messageId: message };
      logInfo('mail feedback', { ...ids, event: feedback.eventType, bounceType, bounceSubType, isPaused, isEnded });
    }),
  ),
);
