import type { StoredTopic } from '../../shared/domain/topics/topic.ts';
import { type Scenes, settledMs } from './cost-stage.ts';

const asked = 20;
const followsMs = settledMs;
const event = { method: 'POST', body: JSON.stringify({ source: 'CR' }) };

export const topicScenes = {
  createTopic: async () => [
    { of: 'with a new name', given: (number: number) => ({ method: 'POST', query: `name=topic ${number}` }) },
    { of: 'with an existing name', given: { method: 'POST', query: 'name=births' } },
  ],
  async listTopics({ topics }) {
    topics(20);
    return [{ of: 'of twenty', given: {} }];
  },
  async deleteTopic({ topics, subscribers }) {
    const [few, many] = [200, 20];
    const all = topics(few + many + 2);
    const full = all.slice(few + 1);
    for (const topic of full) subscribers(topic, 100);
    const deleting = (of: readonly StoredTopic[]) => (number: number) => ({
      method: 'DELETE',
      path: { uuid: String(of[number]?.uuid) },
    });
    return [
      { of: 'without subscribers', given: deleting(all), followsMs },
      { of: 'with a hundred subscriptions', given: deleting(full), followsMs, asked: many },
    ];
  },
  async publishEvent({ topics }) {
    const path = { uuid: topics(1)[0].uuid };
    return [
      { of: 'without subscribers', given: { ...event, path }, followsMs, asked },
      {
        of: 'about a person, with a journal row',
        given: { ...event, path, query: 'subject=death', body: JSON.stringify({ source: 'CR', uin: '123456789018' }) },
        ...{ followsMs, asked },
      },
      {
        of: 'with an `Idempotency-Key`, without subscribers',
        given: (number: number) => ({ ...event, path, headers: { 'idempotency-key': `event ${number}` } }),
        ...{ followsMs, asked },
      },
    ];
  },
} as const satisfies Scenes;
