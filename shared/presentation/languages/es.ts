import type { EventNames, EventTexts } from './event-texts.ts';
import { inNumber } from './in-number.ts';
import type { MailTexts, PageTexts } from './texts.ts';

const locale = 'es';

const writing: PageTexts['writing'] = {
  locale,
  direction: 'ltr',
  quoted: (words) => `«${words}»`,
  introducing: (words) => `${words}:`,
};

const eventNames: EventNames = {
  liveBirth: 'Nacimiento',
  death: 'Defunción',
  birthCancellation: 'Cancelación de nacimiento',
  foetalDeath: 'Defunción fetal',
  marriage: 'Matrimonio',
  divorce: 'Divorcio',
  annulment: 'Nulidad matrimonial',
  separation: 'Separación',
  adoption: 'Adopción',
  legitimation: 'Legitimación',
  recognition: 'Reconocimiento',
  changeOfName: 'Cambio de nombre',
  changeOfGender: 'Cambio de sexo',
  updatePerson: 'Cambio de datos personales',
  newPerson: 'Nueva persona',
  duplicatePerson: 'Persona duplicada',
};

const request: PageTexts['request'] = {
  statusTopic: 'Problemas de envío de sus avisos',
  title: 'Confirme que desea recibir estos avisos',
  button: 'Sí, deseo recibir estos avisos',
  never: 'No recibir más solicitudes en esta dirección',
  begins: 'No enviaremos ningún aviso hasta que usted lo confirme.',
  replaces: (changes) =>
    `Usted ya recibe algunos de estos avisos. Nada cambiará hasta que lo confirme. Si lo confirma, cambiará lo siguiente: ${changes}.`,
  repeats: 'Usted ya recibe estos avisos. Si lo confirma, nada cambiará.',
  changes: {
    subjects: 'los avisos que enviamos',
    policy: 'la frecuencia con que reintentamos un envío fallido',
    deliveryFormat: 'el formato de los avisos que se envían a sistemas informáticos',
    caller: 'el organismo que gestiona estos avisos',
  },
};

const letterhead: PageTexts['letterhead'] = { contact: 'Contacto', privacy: 'Aviso de privacidad' };

export const pages: PageTexts = {
  writing,
  eventNames,
  request,
  letterhead,
  service: 'Avisos del registro',
  topic: 'Tema',
  address: 'Dirección',
  events: 'Avisos',
  eventsBefore: 'Avisos hasta ahora',
  allEvents: 'todos',
  confirm: {
    lead: 'Hemos recibido una solicitud para enviar estos avisos a esta dirección.',
    otherwise: (days) =>
      inNumber(locale, days, {
        one: 'Si usted no lo ha solicitado, cierre esta página. La solicitud caducará al cabo de # día.',
        other: 'Si usted no lo ha solicitado, cierre esta página. La solicitud caducará al cabo de # días.',
      }),
  },
  neverAsk: {
    title: '¿Desea dejar de recibir solicitudes en esta dirección?',
    lead: 'No volveremos a enviar solicitudes de confirmación a esta dirección. Los avisos que usted ya ha confirmado se seguirán enviando.',
    button: 'No recibir más solicitudes',
    otherwise: 'Para seguir recibiendo solicitudes, cierre esta página.',
  },
  neverAsked: {
    title: 'No recibirá más solicitudes',
    lead: 'A partir de ahora, nadie más puede solicitar avisos para esta dirección. Los enlaces que ya ha recibido siguen funcionando.',
    otherwise: 'Si cambia de opinión, póngase en contacto con el organismo que le envió el correo.',
  },
  confirmed: {
    title: 'Confirmación recibida',
    lead: 'A partir de ahora, enviaremos estos avisos a esta dirección.',
    otherwise: 'Cada correo incluye un enlace para dejar de recibirlos.',
  },
  unsubscribe: {
    title: 'Dejar de recibir estos avisos',
    lead: '¿Desea que dejemos de enviar estos avisos a esta dirección?',
    button: 'Dejar de recibir estos avisos',
    otherwise: 'Para seguir recibiéndolos, cierre esta página.',
  },
  unsubscribed: {
    title: 'Ya no recibirá estos avisos',
    lead: 'No volveremos a enviar estos avisos a esta dirección.',
    gone: 'El envío de estos avisos ya se había cancelado. No enviaremos nada más a esta dirección.',
  },
  badLink: {
    title: 'Este enlace no funciona',
    incomplete: 'El enlace está incompleto o se ha modificado. Ábralo de nuevo desde el correo.',
    confirm:
      'El enlace está incompleto, se ha modificado o ya no es el último. Abra el enlace del último correo que haya recibido.',
    expired: 'El enlace ha caducado. Vuelva a solicitar estos avisos. Recibirá un correo con un enlace nuevo.',
    unsubscribe:
      'El enlace está incompleto, se ha modificado o es demasiado antiguo. Abra el enlace de un correo más reciente o pida al organismo que se lo envió que cancele estos avisos.',
  },
  fault: {
    title: 'Se ha producido un error',
    lead: 'El problema está en nuestro servicio. Inténtelo de nuevo dentro de unos minutos.',
    request: (id) => `Si el problema se repite, póngase en contacto con nosotros e indique esta referencia: ${id}`,
  },
};

const parents = { uin: 'Hijo o hija', uin1: 'Primer progenitor', uin2: 'Segundo progenitor' };
const spouses = { uin1: 'Primer cónyuge', uin2: 'Segundo cónyuge' };
const person = { uin: 'Persona' };

const events: EventTexts = {
  liveBirth: {
    happened: 'Se ha inscrito un nacimiento',
    labels: { ...parents, uin: 'Recién nacido' },
  },
  death: { happened: 'Se ha inscrito una defunción', labels: { uin: 'Persona fallecida' } },
  birthCancellation: { happened: 'Se ha cancelado la inscripción de un nacimiento', labels: person },
  foetalDeath: { happened: 'Se ha inscrito una defunción fetal', labels: { uin: 'Criatura' } },
  marriage: { happened: 'Se ha inscrito un matrimonio', labels: spouses },
  divorce: { happened: 'Se ha inscrito un divorcio', labels: spouses },
  annulment: { happened: 'Se ha inscrito la nulidad de un matrimonio', labels: spouses },
  separation: { happened: 'Se ha inscrito una separación legal', labels: spouses },
  adoption: { happened: 'Se ha inscrito una adopción', labels: parents },
  legitimation: { happened: 'Se ha inscrito una legitimación', labels: parents },
  recognition: { happened: 'Se ha inscrito el reconocimiento de un hijo', labels: parents },
  changeOfName: { happened: 'Se ha inscrito un cambio de nombre', labels: person },
  changeOfGender: { happened: 'Se ha inscrito un cambio de sexo', labels: person },
  updatePerson: { happened: 'Se han modificado los datos de una persona', labels: person },
  newPerson: { happened: 'Se ha incorporado una nueva persona al registro', labels: person },
  duplicatePerson: {
    happened: 'Una persona figura varias veces en el registro',
    labels: { uin: 'Persona', duplicates: 'Duplicados' },
  },
};

export const mails: MailTexts = {
  writing,
  eventNames,
  request,
  letterhead,
  events,
  confirm: {
    asked: (topic, organisation = 'El Registro Civil') =>
      `${organisation} ha recibido una solicitud para enviar avisos sobre ${topic} a esta dirección.`,
    askedOnly: (topic, only, organisation = 'El Registro Civil') =>
      `${organisation} ha recibido una solicitud para enviar a esta dirección únicamente los siguientes avisos sobre ${topic}: ${only}.`,
    more: (count) => inNumber(locale, count, { other: '# más, que puede ver en la página' }),
    address: 'Si el botón no funciona, abra esta dirección:',
    otherwise: (days) =>
      inNumber(locale, days, {
        one: 'Si usted no lo ha solicitado, no tiene que hacer nada. La solicitud caducará dentro de # día.',
        other: 'Si usted no lo ha solicitado, no tiene que hacer nada. La solicitud caducará dentro de # días.',
      }),
  },
  status: {
    receiver: 'Dirección',
    topic: 'Tema',
    failure: 'Causa técnica',
    subscription: 'Referencia técnica',
    failing: {
      heading: (receiver) => `Los avisos no llegan a ${receiver}`,
      opening: (when) => `Ningún aviso ha llegado a esta dirección desde el ${when}.`,
      next:
        'Pida a los responsables de esta dirección que averigüen qué ocurre. Seguimos intentándolo: cuando se resuelva el ' +
        'problema, los avisos pendientes llegarán en unos minutos. Si el problema continúa, podríamos suspender los envíos.',
    },
    paused: {
      heading: (receiver) => `Ya no enviamos avisos a ${receiver}`,
      opening: (when) =>
        `Hemos suspendido el envío de avisos a esta dirección. Ningún aviso ha llegado a ella desde el ${when}.`,
      next:
        'Pida a los responsables de esta dirección que resuelvan el problema. Después, deben volver a solicitar estos avisos, ' +
        'confirmar la nueva solicitud y pedir los avisos perdidos.',
    },
    recovered: {
      heading: (receiver) => `Los avisos vuelven a llegar a ${receiver}`,
      opening: (when) => `Los avisos vuelven a llegar a esta dirección desde el ${when}.`,
      next: 'No tiene que hacer nada. Los avisos pendientes llegarán en unos minutos.',
    },
  },
  event: {
    subject: (topic, event) => `${topic}: ${event}`,
    published: (topic, when) => `Este aviso sobre ${topic} se publicó el ${when}.`,
    test: 'Aviso de prueba',
    tested: (topic) => `Esta es una prueba de los avisos sobre ${topic}. No ha ocurrido nada.`,
    source: 'Comunicado por',
    others: 'Más datos',
    empty: 'vacío',
    continued: (words) => `${words}… (continúa en el archivo adjunto)`,
    more: (count) =>
      inNumber(locale, count, {
        one: '# dato más figura únicamente en el archivo adjunto.',
        other: '# datos más figuran únicamente en el archivo adjunto.',
      }),
    attached: 'El archivo adjunto contiene el aviso completo.',
    hidden: 'Este aviso no se puede mostrar en un correo. Lo encontrará en el archivo adjunto.',
    message: (id) => `Referencia: ${id}`,
    subscribed: (topic) => `Recibe este correo porque se confirmó el envío de avisos sobre ${topic} a esta dirección.`,
    leave: 'Dejar de recibir estos avisos',
  },
};
