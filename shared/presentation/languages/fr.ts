import type { EventNames, EventTexts } from './event-texts.ts';
import { inNumber } from './in-number.ts';
import type { MailTexts, PageTexts } from './texts.ts';

const locale = 'fr';

// Before « : ; ? » and within quotation marks French has a space that does not break.
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
  updatePerson: 'Mise à jour d’une personne',
  newPerson: 'Nouvelle personne',
  duplicatePerson: 'Doublon',
};

const request: PageTexts['request'] = {
  title: 'Confirmer votre abonnement',
  button: 'Confirmer l’abonnement',
  never: 'Ne plus jamais solliciter cette adresse',
  begins: 'Rien ne sera envoyé tant que vous n’aurez pas confirmé.',
  replaces: (changes) =>
    `Certains événements lui sont déjà signalés, et rien ne changera tant que ` +
    `vous n’aurez pas confirmé. La confirmation modifiera\u00a0: ${changes}.`,
  repeats: 'Ils lui sont déjà signalés\u00a0: la confirmation ne changera rien.',
  changes: {
    subjects: 'les événements signalés',
    policy: 'la manière de renouveler un envoi qui a échoué',
    deliveryFormat: 'le format des événements transmis aux logiciels',
    caller: 'le client auquel l’abonnement est rattaché',
  },
};

const letterhead: PageTexts['letterhead'] = { contact: 'Contact', privacy: 'Protection des données personnelles' };

export const pages: PageTexts = {
  writing,
  eventNames,
  request,
  letterhead,
  service: 'Notifications du registre',
  topic: 'Thème',
  address: 'Adresse',
  events: 'Événements',
  eventsBefore: 'Événements jusqu’à présent',
  allEvents: 'tous',
  confirm: {
    lead: 'Il a été demandé que les événements de ce thème soient signalés à cette adresse.',
    otherwise: (days) =>
      inNumber(locale, days, {
        one:
          'Si vous n’êtes pas à l’origine de cette demande, fermez cette ' +
          'page\u00a0: la demande expirera d’elle-même au bout de #\u00a0jour.',
        other:
          'Si vous n’êtes pas à l’origine de cette demande, fermez cette ' +
          'page\u00a0: la demande expirera d’elle-même au bout de #\u00a0jours.',
      }),
  },
  neverAsk: {
    title: 'Ne plus jamais solliciter cette adresse',
    lead:
      'Souhaitez-vous que cette adresse ne reçoive plus jamais de demande de ' +
      'confirmation d’abonnement\u00a0? Les abonnements déjà confirmés se poursuivent.',
    button: 'Ne plus solliciter',
    otherwise: 'Pour continuer à recevoir ces demandes, fermez cette page.',
  },
  neverAsked: {
    title: 'Cette adresse ne sera plus sollicitée',
    lead:
      'Personne d’autre ne peut désormais abonner cette adresse. ' +
      'Le lien d’une demande que vous avez déjà reçue permet encore de confirmer.',
    otherwise: 'Pour revenir sur ce choix, écrivez au responsable de ce service.',
  },
  confirmed: {
    title: 'Abonnement confirmé',
    lead: 'Désormais, les événements de ce thème sont envoyés à cette adresse.',
    otherwise: 'Chaque message contient un lien de désabonnement.',
  },
  unsubscribe: {
    title: 'Se désabonner',
    lead: 'Souhaitez-vous que les événements de ce thème ne soient plus envoyés à cette adresse\u00a0?',
    button: 'Se désabonner',
    otherwise: 'Pour conserver l’abonnement, fermez cette page.',
  },
  unsubscribed: {
    title: 'Désabonnement effectué',
    lead: 'Plus rien ne sera envoyé à cette adresse au sujet de ce thème.',
    gone: 'Cet abonnement a pris fin. Plus rien n’est envoyé à son adresse.',
  },
  badLink: {
    title: 'Ce lien ne fonctionne pas',
    incomplete: 'Le lien est incomplet ou altéré. Ouvrez-le de nouveau depuis le message.',
    confirm:
      'Le lien est incomplet, altéré ou n’est plus le plus récent. Ouvrez-le de nouveau depuis le dernier message reçu.',
    expired:
      'Le lien a expiré. Demandez de nouveau l’abonnement\u00a0: vous recevrez un message contenant un nouveau lien.',
    unsubscribe:
      'Le lien est incomplet, altéré ou trop ancien. Ouvrez-le de nouveau depuis un message ' +
      'plus récent, ou demandez au responsable de ce service de mettre fin à l’abonnement.',
  },
  fault: {
    title: 'Une erreur s’est produite',
    lead: 'Le problème vient de notre service. Veuillez réessayer dans quelques minutes.',
    request: (id) => `Si l’erreur persiste, signalez cette requête\u00a0: ${id}`,
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
  updatePerson: { happened: 'Les données d’une personne ont été mises à jour', labels: person },
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
    asked: (topic) => `Il a été demandé que les événements du thème ${topic} soient signalés à cette adresse.`,
    askedOnly: (topic, only) =>
      `Il a été demandé que les événements suivants du thème ${topic}, et eux seuls, soient signalés à cette adresse\u00a0: ${only}.`,
    more: (count) =>
      inNumber(locale, count, {
        one: '# autre, que la page indique',
        other: '# autres, que la page indique',
      }),
    address: 'Si le bouton ne fonctionne pas, ouvrez cette adresse\u00a0:',
    otherwise: (days) =>
      inNumber(locale, days, {
        one: 'Si vous n’êtes pas à l’origine de cette demande, n’en tenez pas compte\u00a0: elle expirera d’elle-même dans #\u00a0jour.',
        other:
          'Si vous n’êtes pas à l’origine de cette demande, n’en tenez pas compte\u00a0: elle expirera d’elle-même dans #\u00a0jours.',
      }),
    programs: (url) => `Pour les programmes\u00a0: confirmer par GET ${url}`,
    token: (token) => `Jeton\u00a0: ${token}`,
  },
  status: {
    receiver: 'Destinataire',
    topic: 'Thème',
    failure: 'Dernier échec',
    subscription: 'Abonnement',
    failing: {
      heading: (receiver) => `Les envois vers ${receiver} échouent`,
      opening: (when) => `Ce destinataire n’accepte plus aucun événement depuis le ${when}.`,
      next:
        'Vérifiez le destinataire. Le registre renouvelle ses tentatives\u00a0: dès que le destinataire ' +
        'fonctionnera à nouveau, les événements en attente arriveront en quelques minutes. Si les échecs' +
        ' persistent, l’abonnement pourra être suspendu.',
    },
    paused: {
      heading: (receiver) => `Les envois vers ${receiver} sont suspendus`,
      opening: (when) =>
        `L’abonnement est suspendu. Son destinataire n’accepte plus aucun événement depuis le ${when}.`,
      next:
        'Corrigez le destinataire. Abonnez ensuite de nouveau son adresse, confirmez la nouvelle demande' +
        ' et récupérez les événements manqués.',
    },
    recovered: {
      heading: (receiver) => `Les envois vers ${receiver} fonctionnent à nouveau`,
      opening: (when) => `Ce destinataire accepte de nouveau les événements depuis le ${when}.`,
      next: 'Vous n’avez rien à faire. Les événements en attente arriveront en quelques minutes.',
    },
  },
  event: {
    subject: (topic, event) => `${topic}\u00a0: ${event}`,
    named: (subject) => `Objet\u00a0: ${subject}`,
    published: (topic, when) => `Cet événement a été publié dans le thème ${topic} le ${when}.`,
    test: 'Test de l’abonnement',
    tested: (topic) => `Ceci est un test de l’abonnement au thème ${topic}\u00a0: il ne s’est rien passé.`,
    source: 'Signalé par',
    others: 'Autres champs de l’événement',
    empty: 'vide',
    continued: (words) => `${words}… (suite dans la pièce jointe)`,
    more: (count) =>
      inNumber(locale, count, {
        one: '# autre champ figure uniquement dans la pièce jointe.',
        other: '# autres champs figurent uniquement dans la pièce jointe.',
      }),
    attached: 'L’événement est joint tel qu’il a été publié.',
    hidden: 'Cet événement ne peut pas être affiché dans un message. Il est joint tel qu’il a été publié.',
    message: (id) => `Identifiant du message\u00a0: ${id}`,
    subscribed: (topic) => `Vous recevez ce message car cette adresse est abonnée au thème ${topic}.`,
    leave: 'Se désabonner',
  },
};
