import { holds, same, sentencesOf } from '../sentence.ts';
import { quietFor } from './quiet.ts';

const body = { source: 'conformance', uin: '1' };

// A delivery may be seen here some time after it was sent, which makes the gap to the next look shorter. Milliseconds.
const seenLate = 1000;

export const deliveries = [
  ...sentencesOf('4.4 Receiver', {
    '200 is received: the event does not come again': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      const { letterbox } = await newSubscriber(topic, { policy: '1,5' });
      await publish(topic, body);
      await letterbox.arrived('Notification');
      await quietFor(3);
      same('how often it came', letterbox.of('Notification').length, 1);
    },
    'so is any other 2xx': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      const { letterbox } = await newSubscriber(topic, { policy: '1,5' }, () => 204);
      await publish(topic, body);
      await letterbox.arrived('Notification');
      await quietFor(3);
      same('how often it came', letterbox.of('Notification').length, 1);
    },
    '500 is not: it comes again, with the same message-id': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      let count = 0;
      const { letterbox } = await newSubscriber(topic, { policy: '1,5' }, () => (++count === 1 ? 500 : 200));
      const messageId = await publish(topic, body);
      const arrivals = await letterbox.arrived('Notification', 2);
      same(
        'the ids',
        arrivals.map(({ headers }) => headers['message-id']),
        [messageId, messageId],
      );
    },
    'no answer in time is not: it comes again': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      let count = 0;
      const late = async () => (++count === 1 ? quietFor(18).then(() => 200) : 200);
      const { letterbox } = await newSubscriber(topic, { policy: '1,5' }, late);
      await publish(topic, body);
      await letterbox.arrived('Notification', 2);
    },
    'Retry-After with 503 is obeyed when it is longer than countdown': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      let count = 0;
      const busy = { status: 503, headers: { 'retry-after': '4' } };
      const { letterbox } = await newSubscriber(topic, { policy: '1,5' }, () => (++count === 1 ? busy : 200));
      await publish(topic, body);
      const [first, second] = await letterbox.arrived('Notification', 2);
      const gap = (second?.at ?? 0) - (first?.at ?? 0);
      holds(gap >= 4000 - seenLate, `it came again after ${gap / 1000} s`);
    },
    'a redirect is not followed, and counts as a failure': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      let count = 0;
      const { letterbox } = await newSubscriber(topic, { policy: '1,5' }, () => (++count === 1 ? 302 : 200));
      await publish(topic, body);
      await letterbox.arrived('Notification', 2);
    },
    'a confirmation that is answered 500 comes again, and its token holds': async (deployment) => {
      const { newTopic, newLetterbox, subscribe, confirm } = deployment;
      const letterbox = newLetterbox();
      let count = 0;
      letterbox.answering = () => (++count === 1 ? 500 : 200);
      await subscribe(await newTopic(), letterbox.address, { policy: '1,5' });
      const [, second] = await letterbox.arrived('SubscriptionConfirmation', 2);
      same('the answer to confirm', (await confirm(JSON.parse(String(second?.body)).token)).status, 200);
    },
  }),
  ...sentencesOf('8 Delivery policy', {
    'absent, it is 3600,168: hourly for 7 days': async ({ newTopic, newLetterbox, subscribe }) => {
      same('policy', (await subscribe(await newTopic(), newLetterbox().address)).policy, '3600,168');
    },
    'a countdown alone has 168 retries': async ({ newTopic, newLetterbox, subscribe }) => {
      same('policy', (await subscribe(await newTopic(), newLetterbox().address, { policy: '60' })).policy, '60,168');
    },
    'countdown comes first, max second': async ({ newTopic, newLetterbox, subscribe }) => {
      same('policy', (await subscribe(await newTopic(), newLetterbox().address, { policy: '3, 10' })).policy, '3,10');
    },
    'max -1 is without end': async ({ newTopic, newLetterbox, subscribe }) => {
      same('policy', (await subscribe(await newTopic(), newLetterbox().address, { policy: '60,-1' })).policy, '60,-1');
    },
    'what is no policy is 400': async ({ newTopic, call }) => {
      const topic = (await newTopic()).name;
      for (const policy of ['hourly', '0,1', '1,-2', '1,2,3', '1.5,2']) {
        const query = { topic, policy, address: 'https://receiver.example.org/' };
        same(`status of ${policy}`, (await call('POST', '/v1/subscriptions', { query })).status, 400);
      }
    },
    'no retry comes before countdown seconds': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      const { letterbox } = await newSubscriber(topic, { policy: '4,2' }, () => 500);
      await publish(topic, body);
      const arrivals = await letterbox.arrived('Notification', 3);
      const gaps = arrivals.slice(1).map(({ at }, index) => at - (arrivals[index]?.at ?? 0));
      holds(
        gaps.every((gap) => gap >= 4000 - seenLate),
        `the gaps were ${gaps.map((gap) => gap / 1000).join(' s and ')} s, not 4 s or more`,
      );
    },
    'after max retries it is not sent again': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      const { letterbox } = await newSubscriber(topic, { policy: '1,2' }, () => 500);
      await publish(topic, body);
      await letterbox.arrived('Notification', 3);
      await quietFor(5);
      same('attempts', letterbox.of('Notification').length, 3);
    },
    'max 0 is one attempt': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      const { letterbox } = await newSubscriber(topic, { policy: '1,0' }, () => 500);
      await publish(topic, body);
      await letterbox.arrived('Notification');
      await quietFor(4);
      same('attempts', letterbox.of('Notification').length, 1);
    },
  }),
];
