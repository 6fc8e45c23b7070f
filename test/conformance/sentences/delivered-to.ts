import type { Deployment } from '../deployment.ts';
import { Broken } from '../sentence.ts';

const event = { source: 'conformance', uin: '1' };

/** An event that a new subscriber was sent, and the path of its subscription. */
export async function deliveredTo({ newTopic, newSubscriber, publish }: Deployment, subject = 'liveBirth') {
  const topic = await newTopic();
  const { letterbox, subscription } = await newSubscriber(topic);
  const messageId = await publish(topic, event, { query: { subject } });
  const [arrival] = await letterbox.arrived('Notification');
  if (arrival === undefined) throw new Broken('nothing came');
  return { topic, letterbox, messageId, arrival, path: `/v1/subscriptions/${subscription.uuid}` };
}
