import type { EventNames, EventTexts } from './event-texts.ts';
import { inNumber } from './in-number.ts';
import type { MailTexts, PageTexts } from './texts.ts';

const locale = 'fr';

// French has a no-break space before « : ; ? » and inside quotation marks.
const writing: PageTexts['writing'] = {
  locale,
  direction: 'ltr',
  quoted: (words) => `«\u00a0${words}\u00a0»`,
  introducing: (words) => `${words}\u00a0:`,
};

const eventNames: EventNames = {
  liveBirth: 'Naissance',
  death: 'Décès',
  birthCancellation: 'Annulation d’une naissance',
  foetalDeath: 'Mort fœtale',
  marriage: 'Mariage',
  divorce: 'Divorce',
  annulment: 'Annulation de mariage',
  separation: 'Séparation de corps',
  adoption: 'Adoption',
  legitimation: 'Légitimation',
  recognition: 'Reconnaissance',
  changeOfName: 'Changement de nom',
  changeOfGender: 'Changement de sexe',
  updatePerson: 'Modification de données personnelles',
  newPerson: 'Nouvelle personne',
  duplicatePerson: 'Doublon',
};

const request: PageTexts['request'] = {
  statusTopic: 'Problèmes d’envoi de vos avis',
  title: 'Confirmez que vous souhaitez recevoir ces avis',
  button: 'Oui, je souhaite recevoir ces avis',
  never: 'Ne plus recevoir aucune demande à cette adresse',
  begins: 'Aucun avis ne sera envoyé avant votre confirmation.',
  replaces: (changes) =>
    `Vous recevez déjà une partie de ces avis. Rien ne change avant votre confirmation. Votre confirmation modifiera\u00a0: ${changes}.`,
  repeats: 'Vous recevez déjà ces avis. Votre confirmation ne changera rien.',
  changes: {
    subjects: 'les avis envoyés',
    policy: 'la fréquence des nouvelles tentatives en cas d’échec',
    deliveryFormat: 'le format des avis transmis aux systèmes informatiques',
    caller: 'l’organisme qui gère ces avis',
  },
};

const letterhead: PageTexts['letterhead'] = { contact: 'Contact', privacy: 'Protection des données personnelles' };

export const pages: PageTexts = {
  writing,
  eventNames,
  request,
  letterhead,
  service: 'Avis du registre',
  topic: 'Sujet',
  address: 'Adresse',
  events: 'Avis',
  eventsBefore: 'Avis jusqu’à présent',
  allEvents: 'tous',
  confirm: {
    lead: 'Nous avons reçu une demande d’envoi de ces avis à cette adresse.',
    otherwise: (days) =>
      inNumber(locale, days, {
        one: 'Si vous n’êtes pas à l’origine de cette demande, fermez cette page. La demande expirera au bout de #\u00a0jour.',
        other:
          'Si vous n’êtes pas à l’origine de cette demande, fermez cette page. La demande expirera au bout de #\u00a0jours.',
      }),
  },
  neverAsk: {
    title: 'Ne plus recevoir de demandes à cette adresse\u00a0?',
    lead: 'Nous n’enverrons plus aucune demande de confirmation à cette adresse. Les avis que vous avez déjà confirmés continueront d’être envoyés.',
    button: 'Ne plus recevoir de demandes',
    otherwise: 'Pour continuer à recevoir des demandes, fermez cette page.',
  },
  neverAsked: {
    title: 'Vous ne recevrez plus de demandes',
    lead: 'Désormais, personne d’autre ne peut demander l’envoi d’avis à cette adresse. Les liens que vous avez déjà reçus restent valables.',
    otherwise: 'Pour revenir sur ce choix, contactez l’organisme qui vous a envoyé le message.',
  },
  confirmed: {
    title: 'Votre confirmation est enregistrée',
    lead: 'Désormais, ces avis seront envoyés à cette adresse.',
    otherwise: 'Chaque message contient un lien pour ne plus recevoir ces avis.',
  },
  unsubscribe: {
    title: 'Ne plus recevoir ces avis\u00a0?',
    lead: 'Souhaitez-vous que nous cessions d’envoyer ces avis à cette adresse\u00a0?',
    button: 'Ne plus recevoir ces avis',
    otherwise: 'Pour continuer à les recevoir, fermez cette page.',
  },
  unsubscribed: {
    title: 'Vous ne recevrez plus ces avis',
    lead: 'Ces avis ne seront plus envoyés à cette adresse.',
    gone: 'L’envoi de ces avis avait déjà pris fin. Plus rien n’est envoyé à cette adresse.',
  },
  badLink: {
    title: 'Ce lien ne fonctionne pas',
    incomplete: 'Le lien est incomplet ou a été modifié. Ouvrez-le de nouveau depuis le message.',
    confirm:
      'Le lien est incomplet, a été modifié ou n’est plus le plus récent. Ouvrez le lien du dernier message que vous avez reçu.',
    expired:
      'Le lien a expiré. Demandez de nouveau à recevoir ces avis. Vous recevrez un message contenant un nouveau lien.',
    unsubscribe:
      'Le lien est incomplet, a été modifié ou est trop ancien. Ouvrez le lien d’un message plus récent ou demandez à l’organisme qui vous l’a envoyé de mettre fin à ces avis.',
  },
  fault: {
    title: 'Une erreur s’est produite',
    lead: 'Le problème vient de notre service. Veuillez réessayer dans quelques minutes.',
    request: (id) => `Si le problème se reproduit, contactez-nous en indiquant cette référence\u00a0: ${id}`,
  },
};

const parents = { uin: 'Enfant', uin1: 'Premier parent', uin2: 'Second parent' };
const spouses = { uin1: 'Premier conjoint', uin2: 'Second conjoint' };
const person = { uin: 'Personne' };

const events: EventTexts = {
  liveBirth: { happened: 'Une naissance a été enregistrée', labels: parents },
  death: { happened: 'Un décès a été enregistré', labels: { uin: 'Personne décédée' } },
  birthCancellation: { happened: 'L’enregistrement d’une naissance a été annulé', labels: person },
  foetalDeath: { happened: 'Une mort fœtale a été enregistrée', labels: { uin: 'Enfant' } },
  marriage: { happened: 'Un mariage a été enregistré', labels: spouses },
  divorce: { happened: 'Un divorce a été enregistré', labels: spouses },
  annulment: { happened: 'L’annulation d’un mariage a été enregistrée', labels: spouses },
  separation: { happened: 'Une séparation de corps a été enregistrée', labels: spouses },
  adoption: { happened: 'Une adoption a été enregistrée', labels: parents },
  legitimation: { happened: 'Une légitimation a été enregistrée', labels: parents },
  recognition: { happened: 'La reconnaissance d’un enfant a été enregistrée', labels: parents },
  changeOfName: { happened: 'Un changement de nom a été enregistré', labels: person },
  changeOfGender: { happened: 'Un changement de sexe a été enregistré', labels: person },
  updatePerson: { happened: 'Les données d’une personne ont été modifiées', labels: person },
  newPerson: { happened: 'Une nouvelle personne a été inscrite au registre', labels: person },
  duplicatePerson: {
    happened: 'Une personne figure plusieurs fois au registre',
    labels: { uin: 'Personne', duplicates: 'Doublons' },
  },
};

export const mails: MailTexts = {
  writing,
  eventNames,
  request,
  letterhead,
  events,
  confirm: {
    asked: (topic, organisation = 'Le service de l’état civil') =>
      `${organisation} a reçu une demande pour que des avis sur le sujet ${topic} soient envoyés à cette adresse.`,
    askedOnly: (topic, only, organisation = 'Le service de l’état civil') =>
      `${organisation} a reçu une demande pour que les avis suivants sur le sujet ${topic}, et eux seuls, soient envoyés à cette adresse\u00a0: ${only}.`,
    more: (count) =>
      inNumber(locale, count, { one: '# autre, indiqué sur la page', other: '# autres, indiqués sur la page' }),
    address: 'Si le bouton ne fonctionne pas, ouvrez cette adresse\u00a0:',
    otherwise: (days) =>
      inNumber(locale, days, {
        one: 'Si vous n’êtes pas à l’origine de cette demande, vous n’avez rien à faire. Elle expirera dans #\u00a0jour.',
        other:
          'Si vous n’êtes pas à l’origine de cette demande, vous n’avez rien à faire. Elle expirera dans #\u00a0jours.',
      }),
  },
  status: {
    receiver: 'Adresse',
    topic: 'Sujet',
    failure: 'Cause technique',
    subscription: 'Référence technique',
    failing: {
      heading: (receiver) => `Les avis n’arrivent plus à ${receiver}`,
      opening: (when) => `Aucun avis n’est arrivé à cette adresse depuis le ${when}.`,
      next:
        'Demandez aux responsables de cette adresse de chercher la cause du problème. Nous renouvelons nos tentatives\u00a0: ' +
        'dès que le problème sera résolu, les avis en attente arriveront en quelques minutes. ' +
        'S’il persiste, nous pourrons suspendre les envois.',
    },
    paused: {
      heading: (receiver) => `Nous n’envoyons plus d’avis à ${receiver}`,
      opening: (when) =>
        `Nous avons suspendu l’envoi des avis à cette adresse. Aucun avis n’y est arrivé depuis le ${when}.`,
      next:
        'Demandez aux responsables de cette adresse de résoudre le problème. Ils devront ensuite demander de nouveau ces avis, ' +
        'confirmer la nouvelle demande, puis réclamer les avis manqués.',
    },
    recovered: {
      heading: (receiver) => `Les avis arrivent de nouveau à ${receiver}`,
      opening: (when) => `Les avis arrivent de nouveau à cette adresse depuis le ${when}.`,
      next: 'Vous n’avez rien à faire. Les avis en attente arriveront en quelques minutes.',
    },
  },
  event: {
    subject: (topic, event) => `${topic}\u00a0: ${event}`,
    published: (topic, when) => `Cet avis sur le sujet ${topic} a été publié le ${when}.`,
    test: 'Avis de test',
    tested: (topic) => `Ceci est un test des avis sur le sujet ${topic}. Il ne s’est rien passé.`,
    source: 'Signalé par',
    others: 'Autres informations',
    empty: 'vide',
    continued: (words) => `${words}… (suite dans la pièce jointe)`,
    more: (count) =>
      inNumber(locale, count, {
        one: '# autre information figure uniquement dans la pièce jointe.',
        other: '# autres informations figurent uniquement dans la pièce jointe.',
      }),
    attached: 'La pièce jointe contient l’avis complet.',
    hidden: 'Cet avis ne peut pas être affiché dans un message. Vous le trouverez en pièce jointe.',
    message: (id) => `Référence\u00a0: ${id}`,
    subscribed: (topic) =>
      `Vous recevez ce message car l’envoi d’avis sur le sujet ${topic} à cette adresse a été confirmé.`,
    leave: 'Ne plus recevoir ces avis',
  },
};
