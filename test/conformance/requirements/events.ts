import { refusedNaming, succeeded } from '../client.ts';
import { type Check, NotTried, same, sentencesOf } from '../sentence.ts';
import { quietFor } from '../sentences/quiet.ts';

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

const isChecked =
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
        refusedNaming(await call('POST', path, { query: { subject }, body }), 400, name);
      }
    }
    for (const name of optional) {
      refusedNaming(await call('POST', path, { query: { subject }, body: { ...whole, [name]: 17 } }), 400, name);
    }
  };

const describe = ({ required, optional }: Fields): string =>
  `${['source', ...required].join(', ')}${optional ? ` and, optional, ${optional.join(', ')}` : ''}`;

export const events = sentencesOf('6 Events', {
  ...Object.fromEntries(
    Object.entries(types).map(([type, fields]) => [`${type} has ${describe(fields)}`, isChecked(type, fields)]),
  ),
  'a topic may be named for the type': async ({ call, newTopic }) => {
    const list: { name: string }[] = succeeded(await call('GET', '/v1/topics'));
    // One that is there is somebody's: nothing may happen to it.
    const free = ['newPerson', 'annulment', 'recognition', 'legitimation'].find((type) =>
      list.every(({ name }) => name !== type),
    );
    if (free === undefined) throw new NotTried('all topics that it could be tried with are somebody’s');
    const { uuid } = await newTopic(free);
    refusedNaming(await call('POST', `/v1/topics/${uuid}/publish`, { body: example(['other']) }), 400, 'uin');
  },
  'nobody receives what nobody subscribed to, and publishing is 200': async ({ newTopic, publish }) => {
    await publish(await newTopic(), example(['uin']));
  },
  'each of many receivers gets it once': async ({ newTopic, newSubscriber, publish }) => {
    const topic = await newTopic();
    const subscribers = [];
    for (let count = 0; count < 4; count++) subscribers.push(await newSubscriber(topic));
    const messageId = await publish(topic, example(['uin']));
    await Promise.all(subscribers.map(({ letterbox }) => letterbox.arrived('Notification')));
    await quietFor(2);
    const ids = subscribers.map(({ letterbox }) =>
      letterbox.of('Notification').map(({ headers }) => headers['message-id']),
    );
    same(
      'what they got',
      ids,
      subscribers.map(() => [messageId]),
    );
  },
  'a receiver of another topic does not get it': async ({ newTopic, newSubscriber, publish }) => {
    const [topic, other] = [await newTopic(), await newTopic()];
    const { letterbox } = await newSubscriber(topic);
    const { letterbox: elsewhere } = await newSubscriber(other);
    await publish(topic, example(['uin']));
    await letterbox.arrived('Notification');
    await quietFor(1);
    same('what came elsewhere', elsewhere.of('Notification').length, 0);
  },
});
