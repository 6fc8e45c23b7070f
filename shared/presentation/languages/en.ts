import type { EventField, EventType } from '../../domain/topics/event.ts';
import { inNumber, usualWriting } from './writing.ts';

/** Sentences about the events of each type, and the labels of their fields. */
type EventTexts = {
  readonly [T in EventType]: {
    readonly happened: string;
    readonly labels: Readonly<Record<EventField<T>, string>>;
  };
};

const locale = 'en-GB';

/** The texts of both pages and emails. */
export const shared = {
  writing: { ...usualWriting(locale), quoted: (words: string) => `“${words}”` },
  // Lower case, because the names are parts of sentences.
  eventNames: {
    liveBirth: 'birth',
    death: 'death',
    birthCancellation: 'cancellation of a birth registration',
    foetalDeath: 'foetal death',
    marriage: 'marriage',
    divorce: 'divorce',
    annulment: 'annulment of a marriage',
    separation: 'legal separation',
    adoption: 'adoption',
    legitimation: 'legitimation of a child',
    recognition: 'recognition of a child',
    changeOfName: 'change of name',
    changeOfGender: 'change of gender',
    updatePerson: 'change of personal details',
    newPerson: 'new entry in the registry',
    duplicatePerson: 'duplicate entries',
  } satisfies Record<EventType, string>,
  /** The texts of a confirmation request, for both emails and pages. */
  request: {
    /** The title of the reserved topic with events about failing deliveries. */
    statusTopic: 'Problems sending notices',
    title: 'Confirm that you want notices from the civil registry',
    button: 'Yes, send me these notices',
    never: 'Stop all confirmation requests to this address',
    begins: 'We will not send anything until you confirm.',
    replaces: (changes: string) =>
      'You already receive notices on this subject. Nothing will change until you confirm. ' +
      `If you confirm, the following will change: ${changes}.`,
    repeats: 'You already receive these notices. If you confirm, nothing will change.',
    changes: {
      subjects: 'the notices we send',
      policy: 'the schedule for resending notices that do not arrive',
      deliveryFormat: 'the format of the notices sent to computer systems',
      caller: 'the organisation that manages these notices',
    },
  },
  /** The labels of the institution's contact and privacy notice. */
  letterhead: { contact: 'Contact', privacy: 'Privacy notice' },
  address: 'Address',
  leave: 'Stop these notices',
};

const expiry = inNumber(locale, {
  one: 'The request expires # day after it was sent.',
  other: 'The request expires # days after it was sent.',
});

export const pages = {
  service: 'Notices from the civil registry',
  topic: 'About',
  events: 'Notices',
  eventsBefore: 'Notices you receive now',
  allEvents: 'all',
  confirm: {
    lead: 'We were asked to send these notices to this address.',
    otherwise: (days: number) => `If you did not ask for this, close this page. ${expiry(days)}`,
  },
  neverAsk: {
    title: 'Stop all confirmation requests to this address?',
    lead:
      'If you choose this, we will not send any more confirmation requests to this address. ' +
      'You will still receive the notices that you have already confirmed.',
    button: 'Stop confirmation requests',
    otherwise: 'To keep receiving confirmation requests, close this page.',
  },
  neverAsked: {
    title: 'You have stopped confirmation requests',
    lead:
      'We will not send any more confirmation requests to this address. ' +
      'Links that you have already received will still work.',
    otherwise: 'To undo this, contact the organisation that sent you the email.',
  },
  confirmed: {
    title: 'You will receive these notices',
    lead: 'From now on, we will send these notices to this address.',
    otherwise: 'Every email has a link to stop these notices.',
  },
  unsubscribe: {
    title: 'Stop these notices?',
    lead: 'Do you want us to stop sending these notices to this address?',
    otherwise: 'To keep receiving these notices, close this page.',
  },
  unsubscribed: {
    title: 'You have stopped these notices',
    lead: 'We will not send these notices to this address any more.',
    gone: 'These notices have already been stopped. You do not need to do anything.',
  },
  badLink: {
    title: 'This link does not work',
    incomplete: 'The link is incomplete or has been changed. Open the link again from the email that you received.',
    confirm:
      'The link is incomplete, has been changed, or has been replaced by a newer one. ' +
      'Open the link in the most recent email you received.',
    expired: 'The link has expired. Ask for these notices again. You will receive an email with a new link.',
    unsubscribe:
      'The link is incomplete, has been changed, or is too old. ' +
      'Open the link in a more recent email. If you do not have one, contact the organisation that emailed you.',
  },
  fault: {
    title: 'Something went wrong',
    lead: 'The problem is on our side. Please try again in a few minutes.',
    request: (id: string) => `If it happens again, contact us and give us this reference: ${id}`,
  },
};

const parents = { uin: 'Child', uin1: 'First parent', uin2: 'Second parent' };
const spouses = { uin1: 'First spouse', uin2: 'Second spouse' };
const person = { uin: 'Person' };
const duplicates = { ...person, duplicates: 'Duplicates' };

export const mails = {
  /** The locale for dates (BCP 47). */
  locale,
  /** Shows a time in 24 hours, such as 09:05, with its date and its time zone. */
  moment: (date: string, time: string, zone: string) => `${date} at ${time} (${zone})`,
  events: {
    liveBirth: { happened: 'A birth was registered', labels: parents },
    death: { happened: 'A death was registered', labels: { uin: 'Deceased person' } },
    birthCancellation: { happened: 'The registration of a birth was cancelled', labels: person },
    foetalDeath: { happened: 'A foetal death was registered', labels: { uin: 'Child' } },
    marriage: { happened: 'A marriage was registered', labels: spouses },
    divorce: { happened: 'A divorce was registered', labels: spouses },
    annulment: { happened: 'The annulment of a marriage was registered', labels: spouses },
    separation: { happened: 'A legal separation was registered', labels: spouses },
    adoption: { happened: 'An adoption was registered', labels: parents },
    legitimation: { happened: 'The legitimation of a child was registered', labels: parents },
    recognition: { happened: 'The recognition of a child was registered', labels: parents },
    changeOfName: { happened: 'A change of name was registered', labels: person },
    changeOfGender: { happened: 'A change of gender was registered', labels: person },
    updatePerson: { happened: 'A person’s details were changed', labels: person },
    newPerson: { happened: 'A new person was entered in the registry', labels: person },
    duplicatePerson: { happened: 'Duplicate entries for a person were found', labels: duplicates },
  } satisfies EventTexts,
  confirm: {
    /** Names the organisation that was asked, if its name is known, and the notices, unless they are all notices. */
    asked: (topic: string, organisation = 'The civil registry', only = '') =>
      `${organisation} was asked to send notices about ${topic} to this address.` +
      (only && ` The request is only for these notices: ${only}.`),
    more: inNumber(locale, {
      one: '# other type of notice (see the confirmation page)',
      other: '# other types of notice (see the confirmation page)',
    }),
    address: 'If the button does not work, open this address:',
    otherwise: (days: number) => `If you did not ask for this, you do not need to do anything. ${expiry(days)}`,
  },
  status: {
    topic: 'Notices about',
    failure: 'Technical cause',
    subscription: 'Technical reference',
    failing: {
      heading: (receiver: string) => `Notices to ${receiver} are not arriving`,
      opening: (when: string) => `No notice has arrived at this address since ${when}.`,
      next:
        'Ask the people who look after this address to find the cause of the problem. We will keep trying. ' +
        'When the problem is solved, the delayed notices will arrive within minutes. ' +
        'If the problem continues, we may stop sending notices.',
    },
    paused: {
      heading: (receiver: string) => `We have stopped sending notices to ${receiver}`,
      opening: (when: string) =>
        `We no longer send notices to this address. No notice has arrived there since ${when}.`,
      next:
        'Ask the people who look after this address to solve the problem. ' +
        'Then they must request these notices again, confirm the new request, and ask for the missed notices.',
    },
    recovered: {
      heading: (receiver: string) => `Notices to ${receiver} are arriving again`,
      opening: (when: string) => `Notices have been arriving at this address again since ${when}.`,
      next: 'You do not need to do anything. The delayed notices will arrive within minutes.',
    },
  },
  event: {
    published: (topic: string, when: string) => `This notice about ${topic} was issued on ${when}.`,
    test: 'Test notice',
    tested: (topic: string) => `This is a test of the notices about ${topic}. It does not relate to a real event.`,
    source: 'Reported by',
    others: 'More details',
    empty: 'not provided',
    continued: (words: string) => `${words}… (continued in the attachment)`,
    more: inNumber(locale, {
      one: 'The attachment contains # more detail.',
      other: 'The attachment contains # more details.',
    }),
    attached: 'The attachment contains the complete notice.',
    hidden: 'This notice cannot be shown in an email. You can read it in the attachment.',
    message: (id: string) => `Reference: ${id}`,
    subscribed: (topic: string) =>
      'You are receiving this email because someone confirmed ' +
      `that notices about ${topic} should be sent to this address.`,
  },
};
