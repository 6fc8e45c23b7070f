import type * as en from './en.ts';
import { inNumber, usualWriting } from './writing.ts';

const locale = 'fr';

export const shared: typeof en.shared = {
  // French has a no-break space before « : ; ? » and inside quotation marks.
  writing: {
    ...usualWriting(locale),
    quoted: (words) => `«\u00a0${words}\u00a0»`,
    introducing: (words) => `${words}\u00a0:`,
  },
  // Lower case, because the names are parts of sentences.
  eventNames: {
    liveBirth: 'naissance',
    death: 'décès',
    birthCancellation: 'annulation d’un acte de naissance',
    foetalDeath: 'acte d’enfant sans vie',
    marriage: 'mariage',
    divorce: 'divorce',
    annulment: 'annulation d’un mariage',
    separation: 'séparation de corps',
    adoption: 'adoption',
    legitimation: 'légitimation',
    recognition: 'reconnaissance d’un enfant',
    changeOfName: 'changement de nom',
    changeOfGender: 'changement de sexe',
    updatePerson: 'modification de données personnelles',
    newPerson: 'nouvelle inscription au registre',
    duplicatePerson: 'doublon dans le registre',
  },
  request: {
    statusTopic: 'Incidents d’envoi',
    title: 'Confirmez que vous souhaitez recevoir des avis de l’état civil',
    button: 'Oui, je souhaite recevoir ces avis',
    never: 'Ne plus recevoir de demandes de confirmation à cette adresse',
    begins: 'Aucun avis ne sera envoyé avant votre confirmation.',
    replaces: (changes) =>
      'Vous recevez déjà des avis de cette rubrique. Rien ne changera avant votre confirmation. ' +
      `Si vous confirmez, les éléments suivants seront modifiés\u00a0: ${changes}.`,
    repeats: 'Vous recevez déjà ces avis. Si vous confirmez, rien ne changera.',
    changes: {
      subjects: 'les avis envoyés',
      policy: 'le calendrier des nouvelles tentatives en cas d’échec de l’envoi',
      deliveryFormat: 'le format des avis transmis aux systèmes informatiques',
      caller: 'l’organisme qui gère ces avis',
    },
  },
  letterhead: { contact: 'Contact', privacy: 'Protection des données personnelles' },
  address: 'Adresse',
  leave: 'Ne plus recevoir ces avis',
};

const unknown = 'Si vous n’êtes pas à l’origine de cette demande';

const expiry = inNumber(locale, {
  one: 'La demande expirera #\u00a0jour après son envoi.',
  other: 'La demande expirera #\u00a0jours après son envoi.',
});

export const pages: typeof en.pages = {
  service: 'Avis de l’état civil',
  topic: 'Rubrique',
  events: 'Avis',
  eventsBefore: 'Avis que vous recevez actuellement',
  allEvents: 'tous',
  confirm: {
    lead: 'Nous avons reçu une demande d’envoi des avis ci-dessous à l’adresse indiquée.',
    otherwise: (days) => `${unknown}, fermez cette page. ${expiry(days)}`,
  },
  neverAsk: {
    title: 'Ne plus recevoir de demandes de confirmation\u00a0?',
    lead:
      'Si vous validez ce choix, nous n’enverrons plus de demandes de confirmation à votre adresse. ' +
      'Vous continuerez de recevoir les avis que vous avez déjà acceptés.',
    button: 'Ne plus recevoir de demandes de confirmation',
    otherwise: 'Pour continuer à recevoir des demandes de confirmation, fermez cette page.',
  },
  neverAsked: {
    title: 'Vous ne recevrez plus de demandes de confirmation',
    lead:
      'Votre choix est enregistré. Nous n’enverrons plus de demandes de confirmation à votre adresse. ' +
      'Les liens que vous avez déjà reçus restent valables.',
    otherwise: 'Pour revenir sur ce choix, contactez l’organisme qui vous a envoyé le courriel.',
  },
  confirmed: {
    title: 'Votre confirmation est enregistrée',
    lead: 'Les avis ci-dessous seront désormais envoyés à l’adresse indiquée.',
    otherwise: 'Chaque courriel contient un lien pour ne plus recevoir ces avis.',
  },
  unsubscribe: {
    title: 'Ne plus recevoir ces avis\u00a0?',
    lead: 'Si vous validez ce choix, nous n’enverrons plus les avis ci-dessous à l’adresse indiquée.',
    otherwise: 'Pour continuer à les recevoir, fermez cette page.',
  },
  unsubscribed: {
    title: 'Vous ne recevrez plus ces avis',
    lead: 'Les avis ci-dessous ne seront plus envoyés à l’adresse indiquée.',
    gone: 'L’envoi de ces avis à votre adresse avait déjà été arrêté. Vous n’avez rien à faire.',
  },
  badLink: {
    title: 'Ce lien ne fonctionne pas',
    incomplete: 'Le lien est incomplet ou a été modifié. Ouvrez-le de nouveau depuis le courriel que vous avez reçu.',
    confirm:
      'Le lien est incomplet, a été modifié ou a été remplacé par un lien plus récent. ' +
      'Ouvrez le lien du dernier courriel que vous avez reçu.',
    expired:
      'Le lien a expiré. Demandez de nouveau à recevoir ces avis. Vous recevrez un courriel contenant un nouveau lien.',
    unsubscribe:
      'Le lien est incomplet, a été modifié ou est trop ancien. Ouvrez le lien d’un courriel plus récent. ' +
      'Vous pouvez aussi demander à l’organisme qui vous a envoyé le courriel de ne plus vous envoyer ces avis.',
  },
  fault: {
    title: 'Une erreur s’est produite',
    lead: 'Le problème vient de notre service. Veuillez réessayer dans quelques minutes.',
    request: (id) => `Si le problème persiste, contactez-nous en indiquant cette référence\u00a0: ${id}`,
  },
};

const parents = { uin: 'Enfant', uin1: 'Premier parent', uin2: 'Second parent' };
const spouses = { uin1: 'Premier conjoint', uin2: 'Second conjoint' };
const person = { uin: 'Personne' };
const duplicates = { ...person, duplicates: 'Doublons' };

// French has an article before the name of an institution, which we do not know.
const received = (organisation?: string): string =>
  organisation === undefined ? 'Le service de l’état civil a reçu' : `Nos services (${organisation}) ont reçu`;

export const mails: typeof en.mails = {
  locale,
  // French has an ordinal number for the first day of a month, which CLDR does not have.
  moment: (date, time, zone) =>
    `${date.replace(/^1 /, '1er ')} à ${time.replace(/^0?(\d+):/, '$1\u00a0h\u00a0')} (${zone})`,
  events: {
    liveBirth: { happened: 'Une naissance a été enregistrée', labels: parents },
    death: { happened: 'Un décès a été enregistré', labels: { uin: 'Personne décédée' } },
    birthCancellation: { happened: 'Un acte de naissance a été annulé', labels: person },
    foetalDeath: { happened: 'Un acte d’enfant sans vie a été établi', labels: { uin: 'Enfant' } },
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
    duplicatePerson: { happened: 'Une personne figure plusieurs fois dans le registre', labels: duplicates },
  },
  confirm: {
    asked: (topic, organisation, only = '') =>
      `${received(organisation)} une demande d’envoi ${only ? 'de certains' : 'des'} avis ` +
      `de la rubrique ${topic} à cette adresse.` +
      (only && ` La demande porte uniquement sur les avis suivants\u00a0: ${only}.`),
    more: inNumber(locale, {
      one: '# autre type d’avis (voir la page de confirmation)',
      other: '# autres types d’avis (voir la page de confirmation)',
    }),
    address: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u00a0:',
    otherwise: (days) => `${unknown}, ignorez ce message. ${expiry(days)}`,
  },
  status: {
    topic: 'Rubrique',
    failure: 'Cause technique',
    subscription: 'Référence technique',
    failing: {
      heading: (receiver) => `Les avis n’arrivent plus à ${receiver}`,
      opening: (when) => `Aucun avis n’est arrivé à cette adresse depuis le ${when}.`,
      next:
        'Demandez aux responsables de cette adresse de chercher la cause du problème. ' +
        'Nous poursuivons nos tentatives\u00a0: dès que le problème sera résolu, ' +
        'les avis en attente arriveront en quelques minutes. ' +
        'Si le problème persiste, nous pourrions suspendre les envois.',
    },
    paused: {
      heading: (receiver) => `Nous n’envoyons plus d’avis à ${receiver}`,
      opening: (when) =>
        `Nous avons suspendu l’envoi des avis à cette adresse. Aucun avis n’y est arrivé depuis le ${when}.`,
      next:
        'Demandez aux responsables de cette adresse de résoudre le problème. Ils devront ensuite demander de nouveau ' +
        'à recevoir ces avis, confirmer cette demande, puis demander l’envoi des avis qui ne sont pas arrivés.',
    },
    recovered: {
      heading: (receiver) => `Les avis arrivent de nouveau à ${receiver}`,
      opening: (when) => `Les avis arrivent de nouveau à cette adresse depuis le ${when}.`,
      next: 'Vous n’avez rien à faire. Les avis en attente arriveront en quelques minutes.',
    },
  },
  event: {
    published: (topic, when) => `Cet avis de la rubrique ${topic} a été émis le ${when}.`,
    test: 'Avis de test',
    tested: (topic) => `Ceci est un avis de test pour la rubrique ${topic}. Il ne correspond à aucun événement réel.`,
    source: 'Transmis par',
    others: 'Autres informations',
    empty: 'non renseigné',
    continued: (words) => `${words}… (suite dans la pièce jointe)`,
    more: inNumber(locale, {
      one: '# autre information figure uniquement dans la pièce jointe.',
      other: '# autres informations figurent uniquement dans la pièce jointe.',
    }),
    attached: 'La pièce jointe contient l’avis complet.',
    hidden: 'Cet avis ne peut pas être affiché dans le corps du message. Vous le trouverez en pièce jointe.',
    message: (id) => `Référence\u00a0: ${id}`,
    subscribed: (topic) =>
      `Vous recevez ce message car l’envoi des avis de la rubrique ${topic} à cette adresse a été confirmé.`,
  },
};
