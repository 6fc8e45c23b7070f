import type { ConsoleState } from '../state.ts';
import { requestApi } from './api.ts';
import { defineForm, formButton } from './form.ts';

const query = (values: Readonly<Record<string, string>>): string =>
  String(new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')));

type State = Pick<ConsoleState, 'about' | 'topics'>;

const topicsOf = ({ topics }: State) => new Map(topics.map(({ uuid, topic }) => [uuid, topic]));

/** Returns the subjects that a user has typed into a filter field. */
export const subjectsIn = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

export const subjectsHint = 'Event types or subjects, separated by commas. Leave empty to receive all events.';
export const policyHint = 'Number of seconds between attempts, and number of retries.';

const topicForm = () =>
  defineForm({
    fields: {
      name: { label: 'Name', isRequired: true },
      title: { label: 'Title', hint: 'Optional. Emails and pages show the title instead of the name.' },
    },
    submit: 'Create topic',
    async send(values) {
      const { name } = await requestApi<{ name: string }>('POST', `/v1/topics?${query(values)}`);
      return `The topic ${name} exists.`;
    },
  });

const subscriptionForm = (state: State) =>
  defineForm({
    fields: {
      topic: { label: 'Topic', options: topicsOf(state), isRequired: true },
      protocol: { label: 'Protocol', options: new Map(['http', 'email'].map((one) => [one, one])) },
      address: {
        label: 'Address',
        value: state.about.receiver ?? '',
        isRequired: true,
        ...(state.about.receiver !== undefined && {
          hint: 'This is the address of the console, which receives the events and confirms the subscription.',
        }),
      },
      policy: { label: 'Policy', value: '3600,168', hint: policyHint },
      subjects: { label: 'Filter', hint: subjectsHint },
    },
    submit: 'Subscribe',
    async send({ subjects, ...values }) {
      const filter = subjectsIn(subjects).map((subject) => `&subject=${encodeURIComponent(subject)}`);
      await requestApi('POST', `/v1/subscriptions?${query(values)}${filter.join('')}`);
      return `${values.address} gets a confirmation request, unless it is already subscribed.`;
    },
  });

const personForm = () =>
  defineForm({
    fields: {
      firstName: { label: 'First name', value: 'Inés' },
      lastName: { label: 'Last name', value: 'García' },
      dateOfBirth: { label: 'Date of birth', value: '2024-02-29' },
    },
    submit: 'Register person',
    async send(values) {
      const given = Object.entries(values).filter(([, value]) => value !== '');
      return `The new person has the UIN ${await requestApi<string>('POST', '/v1/uin', Object.fromEntries(given))}.`;
    },
  });

const eventForm = (state: State) =>
  defineForm({
    fields: {
      topic: { label: 'Topic', options: topicsOf(state), isRequired: true },
      subject: { label: 'Event type', value: 'liveBirth' },
      uin: { label: 'UIN', value: '194837260511', isRequired: true },
    },
    submit: 'Publish event',
    async send({ topic, subject, uin }) {
      const path = `/v1/topics/${topic}/publish?${query({ subject })}`;
      await requestApi('POST', path, { source: 'console', uin });
      return 'The event is published.';
    },
  });

/**
 * Creates the buttons for new topics and subscriptions. For a local stack, also creates buttons for invented persons
 * and events.
 */
export function createButtons(current: () => State, isLocal: boolean): HTMLButtonElement[] {
  const forAll = [
    formButton('Create topic', topicForm),
    formButton('Create subscription', () => subscriptionForm(current())),
  ];
  if (!isLocal) return forAll;
  return [...forAll, formButton('Create person', personForm), formButton('Create event', () => eventForm(current()))];
}
