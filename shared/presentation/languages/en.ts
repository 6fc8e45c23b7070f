import type { EventNames, EventTexts } from './event-texts.ts';
import { inNumber } from './in-number.ts';

const locale = 'en-GB';

const writing = {
  direction: 'ltr' as 'ltr' | 'rtl',
  quoted: (words: string) => `“${words}”`,
  listed: (words: readonly string[]) => new Intl.ListFormat(locale).format(words),
  /** Introduces the next line, such as a link. */
  introducing: (words: string) => `${words}:`,
};

const eventNames: EventNames = {
  liveBirth: 'Live birth',
  death: 'Death',
  birthCancellation: 'Birth cancellation',
  foetalDeath: 'Foetal death',
  marriage: 'Marriage',
  divorce: 'Divorce',
  annulment: 'Annulment',
  separation: 'Separation',
  adoption: 'Adoption',
  legitimation: 'Legitimation',
  recognition: 'Recognition',
  changeOfName: 'Change of name',
  changeOfGender: 'Change of gender',
  updatePerson: 'Change of personal data',
  newPerson: 'New person',
  duplicatePerson: 'Duplicate person',
};

/** The texts of a confirmation request, for both emails and pages. */
const request = {
  /** The title of the reserved topic with events about failing deliveries. */
  statusTopic: 'Problems with sending your notices',
  title: 'Confirm that you want these notices',
  button: 'Yes, send me these notices',
  never: 'Stop all requests to this address',
  begins: 'We send nothing until you confirm.',
  replaces: (changes: string) =>
    `You already receive some of these notices. Nothing changes until you confirm. If you confirm, we change ${changes}.`,
  repeats: 'You already receive these notices. If you confirm, nothing changes.',
  changes: {
    subjects: 'which notices we send',
    policy: 'how often we try again after a failure',
    deliveryFormat: 'the format of notices that are sent to computer systems',
    caller: 'which organisation manages these notices',
  },
};

/** The labels of the institution's contact and privacy notice. */
const letterhead = { contact: 'Contact', privacy: 'Privacy notice' };

export const pages = {
  writing,
  eventNames,
  request,
  letterhead,
  service: 'Notices from the registry',
  topic: 'About',
  address: 'Address',
  events: 'Notices',
  eventsBefore: 'Notices until now',
  allEvents: 'all',
  confirm: {
    lead: 'We were asked to send these notices to this address.',
    otherwise: (days: number) =>
      inNumber(locale, days, {
        one: 'If you did not ask for this, close this page. The request expires after # day.',
        other: 'If you did not ask for this, close this page. The request expires after # days.',
      }),
  },
  neverAsk: {
    title: 'Stop all requests to this address?',
    lead: 'We will never again ask this address to confirm notices. Notices that you have already confirmed will continue.',
    button: 'Stop requests',
    otherwise: 'To keep receiving requests, close this page.',
  },
  neverAsked: {
    title: 'Requests are stopped',
    lead: 'From now on, other people cannot request notices for this address. Links that you have already received still work.',
    otherwise: 'To undo this, contact the organisation that sent you the email.',
  },
  confirmed: {
    title: 'You will receive these notices',
    lead: 'From now on, we send these notices to this address.',
    otherwise: 'Every email has a link to stop these notices.',
  },
  unsubscribe: {
    title: 'Stop these notices?',
    lead: 'Do you want us to stop sending these notices to this address?',
    button: 'Stop these notices',
    otherwise: 'To keep receiving these notices, close this page.',
  },
  unsubscribed: {
    title: 'You have stopped these notices',
    lead: 'We will not send these notices to this address any more.',
    gone: 'These notices were already stopped. We send nothing more to this address.',
  },
  badLink: {
    title: 'This link does not work',
    incomplete: 'The link is incomplete or has been changed. Open the link again from the email.',
    confirm:
      'The link is incomplete, has been changed, or is not the newest one. Open the link in the newest email that you received.',
    expired: 'The link has expired. Ask for these notices again. You will receive an email with a new link.',
    unsubscribe:
      'The link is incomplete, has been changed, or is too old. ' +
      'Open the link in a newer email, or ask the organisation that sent it to stop these notices.',
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

const events: EventTexts = {
  liveBirth: { happened: 'A birth was registered', labels: parents },
  death: { happened: 'A death was registered', labels: { uin: 'Deceased person' } },
  birthCancellation: { happened: 'The registration of a birth was cancelled', labels: person },
  foetalDeath: { happened: 'A foetal death was registered', labels: { uin: 'Child' } },
  marriage: { happened: 'A marriage was registered', labels: spouses },
  divorce: { happened: 'A divorce was registered', labels: spouses },
  annulment: { happened: 'The annulment of a marriage was registered', labels: spouses },
  separation: { happened: 'A legal separation was registered', labels: spouses },
  adoption: { happened: 'An adoption was registered', labels: parents },
  legitimation: { happened: 'A legitimation was registered', labels: parents },
  recognition: { happened: 'A recognition of a child was registered', labels: parents },
  changeOfName: { happened: 'A change of name was registered', labels: person },
  changeOfGender: { happened: 'A change of gender was registered', labels: person },
  updatePerson: { happened: "A person's data was changed", labels: person },
  newPerson: { happened: 'A new person was entered in the registry', labels: person },
  duplicatePerson: {
    happened: 'Duplicate entries of a person were found',
    labels: { uin: 'Person', duplicates: 'Duplicates' },
  },
};

export const mails = {
  /** The locale for dates (BCP 47). */
  locale,
  writing,
  eventNames,
  request,
  letterhead,
  events,
  confirm: {
    /** Names the organisation that was asked, if its name is known. */
    asked: (topic: string, organisation = 'The civil registry') =>
      `${organisation} was asked to send notices about ${topic} to this address.`,
    askedOnly: (topic: string, only: string, organisation = 'The civil registry') =>
      `${organisation} was asked to send notices about ${topic} to this address, but only these: ${only}.`,
    more: (count: number) => inNumber(locale, count, { other: '# more, which you can see on the page' }),
    address: 'If the button does not work, open this address:',
    otherwise: (days: number) =>
      inNumber(locale, days, {
        one: 'If you did not ask for this, you do not need to do anything. The request expires in # day.',
        other: 'If you did not ask for this, you do not need to do anything. The request expires in # days.',
      }),
  },
  status: {
    receiver: 'Address',
    topic: 'Notices about',
    failure: 'Technical cause',
    subscription: 'Technical reference',
    failing: {
      heading: (receiver: string) => `Notices to ${receiver} do not arrive`,
      opening: (when: string) => `No notice has arrived at this address since ${when}.`,
      next:
        'Ask the people who look after this address to find the problem. We keep trying. When the problem is solved, ' +
        'the waiting notices arrive within minutes. If the problem continues, we may stop sending.',
    },
    paused: {
      heading: (receiver: string) => `We have stopped sending notices to ${receiver}`,
      opening: (when: string) =>
        `We no longer send notices to this address. No notice has arrived there since ${when}.`,
      next:
        'Ask the people who look after this address to solve the problem. Then they must request these notices again, ' +
        'confirm the new request, and ask for the missed notices.',
    },
    recovered: {
      heading: (receiver: string) => `Notices to ${receiver} arrive again`,
      opening: (when: string) => `Notices have arrived at this address again since ${when}.`,
      next: 'You do not need to do anything. Waiting notices arrive within minutes.',
    },
  },
  event: {
    subject: (topic: string, event: string) => `${topic}: ${event}`,
    published: (topic: string, when: string) => `This notice about ${topic} was published on ${when}.`,
    test: 'Test notice',
    tested: (topic: string) => `This is a test of the notices about ${topic}. Nothing has happened.`,
    source: 'Reported by',
    others: 'More details',
    empty: 'empty',
    continued: (words: string) => `${words}… (continued in the attachment)`,
    more: (count: number) =>
      inNumber(locale, count, {
        one: '# more detail is in the attachment only.',
        other: '# more details are in the attachment only.',
      }),
    attached: 'The attachment contains the complete notice.',
    hidden: 'This notice cannot be shown in an email. The attachment contains it.',
    message: (id: string) => `Reference: ${id}`,
    subscribed: (topic: string) =>
      `You receive this email because notices about ${topic} were confirmed for this address.`,
    leave: 'Stop these notices',
  },
};
