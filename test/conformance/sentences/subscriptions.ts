import { refused, refusedNaming, succeeded } from '../client.ts';
import { unique } from '../deployment.ts';
import { holds, same, sentencesOf } from '../sentence.ts';

export const subscriptions = [
  ...sentencesOf('4.2 POST /v1/subscriptions', {
    'topic and address are required': async ({ newTopic, call }) => {
      const { name } = await newTopic();
      const address = 'https://receiver.example.org/';
      refusedNaming(await call('POST', '/v1/subscriptions', { query: { address } }), 400, 'topic');
      refusedNaming(await call('POST', '/v1/subscriptions', { query: { topic: name } }), 400, 'address');
    },
    'the topic must exist': async ({ call }) => {
      const query = { topic: unique('nobody made'), address: 'https://receiver.example.org/' };
      refused(await call('POST', '/v1/subscriptions', { query }), 400);
    },
    'the topic may be named by its uuid': async ({ newTopic, newLetterbox, call, subscribe }) => {
      const topic = await newTopic();
      const { address } = newLetterbox();
      const first = await subscribe(topic, address);
      const query = { topic: topic.uuid, address };
      same('the subscription', succeeded(await call('POST', '/v1/subscriptions', { query })).uuid, first.uuid);
    },
    'email takes a mailbox, http a URL, and neither the other': async ({ newTopic, call }) => {
      const topic = (await newTopic()).name;
      const pairs = { http: 'clerk@example.org', email: 'https://receiver.example.org/' };
      for (const [protocol, address] of Object.entries(pairs)) {
        const answer = await call('POST', '/v1/subscriptions', { query: { topic, protocol, address } });
        refusedNaming(answer, 400, 'address');
      }
    },
    'an address of another kind is refused': async ({ newTopic, call }) => {
      const topic = (await newTopic()).name;
      const hosts = ['receiver.example.org', 'ftp://receiver.example.org/', 'https://me:secret@receiver.example.org/'];
      for (const address of [...hosts, 'http://169.254.169.254/', 'http://0.0.0.0/']) {
        refusedNaming(await call('POST', '/v1/subscriptions', { query: { topic, address } }), 400, 'address');
      }
    },
    'a subscription by email waits for its confirmation, too': async ({ newTopic, newMailbox, subscribe }) => {
      const { protocol, active } = await subscribe(await newTopic(), newMailbox(), { protocol: 'email' });
      same('protocol and active', [protocol, active], ['email', false]);
    },
  }),
  ...sentencesOf('4.2 GET /v1/subscriptions', {
    'answers an array of all subscriptions': async ({ newTopic, newSubscriber, call }) => {
      const { subscription } = await newSubscriber(await newTopic());
      const list: { uuid: string }[] = succeeded(await call('GET', '/v1/subscriptions'));
      same(
        'ours in it',
        list.find(({ uuid }) => uuid === subscription.uuid),
        subscription,
      );
    },
  }),
  ...sentencesOf('4.2 DELETE /v1/subscriptions/{uuid}', {
    'answers 204 and nothing': async ({ newTopic, newSubscriber, call }) => {
      const { subscription } = await newSubscriber(await newTopic());
      succeeded(await call('DELETE', `/v1/subscriptions/${subscription.uuid}`), 204);
    },
  }),
  ...sentencesOf('4.2 GET /v1/subscriptions/confirm', {
    'token is required': async ({ call }) =>
      refusedNaming(await call('GET', '/v1/subscriptions/confirm'), 400, 'token'),
    'the address of the message confirms by itself, and with the token once more': async (deployment) => {
      const { newTopic, newLetterbox, subscribe, call, baseUrl } = deployment;
      const letterbox = newLetterbox();
      await subscribe(await newTopic(), letterbox.address);
      const [arrival] = await letterbox.arrived('SubscriptionConfirmation');
      const { confirmURL, token } = JSON.parse(String(arrival?.body));
      holds(confirmURL.startsWith(baseUrl) || deployment.isLocal, 'it is not at the base address');
      const { search } = new URL(confirmURL);
      succeeded(await call('GET', `/v1/subscriptions/confirm${search}`));
      succeeded(await call('GET', `/v1/subscriptions/confirm${search}&token=${token}`));
    },
    'a receiver may confirm before it answers': async ({ newTopic, newLetterbox, subscribe, confirm, call }) => {
      const letterbox = newLetterbox();
      const topic = await newTopic();
      let confirmed = 0;
      letterbox.answering = async (arrival) => {
        const answer = await confirm(JSON.parse(String(arrival.body)).token);
        confirmed = answer.status;
        return answer.status;
      };
      const { uuid } = await subscribe(topic, letterbox.address);
      await letterbox.arrived('SubscriptionConfirmation');
      while (confirmed === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      same('the answer to confirm', confirmed, 200);
      same('active', succeeded(await call('GET', `/v1/subscriptions/${uuid}`)).active, true);
    },
  }),
];
