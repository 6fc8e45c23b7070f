import { expectErrorNaming, expectSuccess } from '../client.ts';
import { type Check, equal, requirementsOf, Skipped, sleepSeconds } from '../requirement.ts';

interface Fields {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
}

const child: Fields = { required: ['uin', 'uin1'], optional: ['uin2'] };
const couple: Fields = { required: ['uin1', 'uin2'] };
const person: Fields = { required: ['uin'] };

const types: Readonly<Record<string, Fields>> = {
  liveBirth: { required: ['uin'], optional: ['uin1', 'uin2'] },
  ...{ death: person, birthCancellation: person, foetalDeath: person },
  ...{ marriage: couple, divorce: couple, annulment: couple, separation: couple },
  ...{ adoption: child, legitimation: child, recognition: child },
  ...{ changeOfName: person, changeOfGender: person, updatePerson: person, newPerson: person },
  duplicatePerson: { required: ['uin', 'duplicates'] },
};

const example = (names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(['source', ...names].map((name) => [name, name === 'duplicates' ? ['2', '3'] : name]));

const validates =
  (subject: string, { required, optional = [] }: Fields): Check =>
  async ({ newTopic, publish, call }) => {
    const topic = await newTopic();
    const whole = example([...required, ...optional]);
    await publish(topic, whole, { query: { subject } });
    await publish(topic, example(required), { query: { subject } });
    const path = `/v1/topics/${topic.uuid}/publish`;
    for (const name of ['source', ...required]) {
      for (const wrong of [undefined, 17]) {
        const body = { ...whole, [name]: wrong };
        expectErrorNaming(await call('POST', path, { query: { subject }, body }), 400, name);
      }
    }
    for (const name of optional) {
      expectErrorNaming(await call('POST', path, { query: { subject }, body: { ...whole, [name]: 17 } }), 400, name);
    }
  };

const describe = ({ required, optional }: Fields): string =>
  `${['source', ...required].join(', ')}${optional ? ` and, optional, ${optional.join(', ')}` : ''}`;

export const events = requirementsOf('6 Events', {
  ...Object.fromEntries(
    Object.entries(types).map(([type, fields]) => [
      `events of type ${type} have ${describe(fields)}`,
      validates(type, fields),
    ]),
  ),
  'a topic named after an event type accepts only events of that type': async ({ call, newTopic }) => {
    const list: { name: string }[] = expectSuccess(await call('GET', '/v1/topics'));
    // The existing topics belong to other clients and must not receive test events.
    const free = ['newPerson', 'annulment', 'recognition', 'legitimation'].find((type) =>
      list.every(({ name }) => name !== type),
    );
    if (free === undefined) throw new Skipped('other clients already use every suitable topic name');
    const { uuid } = await newTopic(free);
    expectErrorNaming(await call('POST', `/v1/topics/${uuid}/publish`, { body: example(['other']) }), 400, 'uin');
  },
  'publishing to a topic without subscribers returns 200': async ({ newTopic, publish }) => {
    await publish(await newTopic(), example(['uin']));
  },
  'each receiver of a topic gets each event only once': async ({ newTopic, newSubscriber, publish }) => {
    const topic = await newTopic();
    const subscribers = [];
    for (let count = 0; count < 4; count++) subscribers.push(await newSubscriber(topic));
    const messageId = await publish(topic, example(['uin']));
    await Promise.all(subscribers.map(({ webhook }) => webhook.arrived('Notification')));
    await sleepSeconds(2);
    const ids = subscribers.map(({ webhook }) =>
      webhook.of('Notification').map(({ headers }) => headers['message-id']),
    );
    equal(
      'received messages',
      ids,
      subscribers.map(() => [messageId]),
    );
  },
  'the receiver of a topic gets no events from another topic': async ({ newTopic, newSubscriber, publish }) => {
    const [topic, other] = [await newTopic(), await newTopic()];
    const { webhook } = await newSubscriber(topic);
    const { webhook: elsewhere } = await newSubscriber(other);
    await publish(topic, example(['uin']));
    await webhook.arrived('Notification');
    await sleepSeconds(1);
    equal('events of the other receiver', elsewhere.of('Notification').length, 0);
  },
});
