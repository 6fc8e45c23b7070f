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
  updatePerson: 'Actualización de una persona',
  newPerson: 'Nueva persona',
  duplicatePerson: 'Persona duplicada',
};

const request: PageTexts['request'] = {
  title: 'Confirme su suscripción',
  button: 'Confirmar la suscripción',
  never: 'No volver a consultar nunca a esta dirección',
  begins: 'No se enviará nada hasta que usted confirme.',
  replaces: (changes) =>
    `Esta dirección ya recibe avisos de algunos eventos, y nada cambiará hasta que usted confirme. ` +
    `La confirmación modificará lo siguiente: ${changes}.`,
  repeats: 'Esta dirección ya recibe avisos de ellos: la confirmación no cambiará nada.',
  changes: {
    subjects: 'los eventos de los que se le avisa',
    policy: 'el modo de reintentar un envío fallido',
    deliveryFormat: 'el formato de los eventos que se envían a programas',
    caller: 'el cliente al que pertenece la suscripción',
  },
};

const letterhead: PageTexts['letterhead'] = { contact: 'Contacto', privacy: 'Aviso de privacidad' };

export const pages: PageTexts = {
  writing,
  eventNames,
  request,
  letterhead,
  service: 'Notificaciones del registro',
  topic: 'Tema',
  address: 'Dirección',
  events: 'Eventos',
  eventsBefore: 'Eventos hasta ahora',
  allEvents: 'todos',
  confirm: {
    lead: 'Se ha solicitado que esta dirección reciba avisos de los eventos de este tema.',
    otherwise: (days) =>
      inNumber(locale, days, {
        one: 'Si usted no lo ha solicitado, cierre esta página: la solicitud caducará por sí sola al cabo de # día.',
        other: 'Si usted no lo ha solicitado, cierre esta página: la solicitud caducará por sí sola al cabo de # días.',
      }),
  },
  neverAsk: {
    title: 'No volver a consultar nunca a esta dirección',
    lead: '¿Desea que esta dirección no reciba nunca más solicitudes de confirmación? Las suscripciones ya confirmadas continúan.',
    button: 'No volver a consultar',
    otherwise: 'Para seguir recibiendo estas solicitudes, cierre esta página.',
  },
  neverAsked: {
    title: 'No se volverá a consultar a esta dirección',
    lead:
      'A partir de ahora, nadie más puede suscribir esta dirección. ' +
      'El enlace de una solicitud que usted ya tenga sigue sirviendo para confirmar.',
    otherwise: 'Para revocar esta decisión, escriba al responsable de este servicio.',
  },
  confirmed: {
    title: 'Suscripción confirmada',
    lead: 'A partir de ahora, los eventos de este tema se envían a esta dirección.',
    otherwise: 'Cada correo contiene un enlace para cancelar la suscripción.',
  },
  unsubscribe: {
    title: 'Cancelar la suscripción',
    lead: '¿Desea que los eventos de este tema dejen de enviarse a esta dirección?',
    button: 'Cancelar la suscripción',
    otherwise: 'Para conservar la suscripción, cierre esta página.',
  },
  unsubscribed: {
    title: 'Suscripción cancelada',
    lead: 'No se enviará nada más a esta dirección sobre este tema.',
    gone: 'Esta suscripción ha terminado. No se envía nada más a su dirección.',
  },
  badLink: {
    title: 'Este enlace no funciona',
    incomplete: 'El enlace está incompleto o alterado. Ábralo de nuevo desde el correo.',
    confirm: 'El enlace está incompleto, alterado o ya no es el último. Ábralo de nuevo desde el correo más reciente.',
    expired: 'El enlace ha caducado. Solicite de nuevo la suscripción: recibirá un correo con un enlace nuevo.',
    unsubscribe:
      'El enlace está incompleto, alterado o es demasiado antiguo. ' +
      'Ábralo de nuevo desde un correo más reciente o pida al responsable de este servicio que cancele la suscripción.',
  },
  fault: {
    title: 'Se ha producido un error',
    lead: 'El fallo es de nuestro servicio. Inténtelo de nuevo dentro de unos minutos.',
    request: (id) => `Si el error persiste, comunique esta petición: ${id}`,
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
  updatePerson: { happened: 'Se han actualizado los datos de una persona', labels: person },
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
    asked: (topic) => `Se ha solicitado que esta dirección reciba avisos de los eventos del tema ${topic}.`,
    askedOnly: (topic, only) =>
      `Se ha solicitado que esta dirección reciba avisos únicamente de los siguientes eventos del tema ${topic}: ${only}.`,
    more: (count) =>
      inNumber(locale, count, {
        one: '# más, que se indica en la página',
        other: '# más, que se indican en la página',
      }),
    address: 'Si el botón no funciona, abra esta dirección:',
    otherwise: (days) =>
      inNumber(locale, days, {
        one: 'Si usted no lo ha solicitado, no haga nada: la solicitud caducará por sí sola dentro de # día.',
        other: 'Si usted no lo ha solicitado, no haga nada: la solicitud caducará por sí sola dentro de # días.',
      }),
    programs: (url) => `Para programas: confirmar con GET ${url}`,
    token: (token) => `Código: ${token}`,
  },
  status: {
    receiver: 'Destinatario',
    topic: 'Tema',
    failure: 'Último error',
    subscription: 'Suscripción',
    failing: {
      heading: (receiver) => `Los envíos a ${receiver} están fallando`,
      opening: (when) => `Este destinatario no acepta ningún evento desde el ${when}.`,
      next:
        'Revise el destinatario. El registro sigue intentándolo: cuando el destinatario vuelva a ' +
        'funcionar, los eventos pendientes llegarán en unos minutos. Si los fallos continúan, la ' +
        'suscripción podría suspenderse.',
    },
    paused: {
      heading: (receiver) => `Los envíos a ${receiver} están suspendidos`,
      opening: (when) => `La suscripción está suspendida. Su destinatario no acepta ningún evento desde el ${when}.`,
      next:
        'Corrija el destinatario. Después, vuelva a suscribir su dirección, confirme la nueva solicitud ' +
        'y recupere los eventos perdidos.',
    },
    recovered: {
      heading: (receiver) => `Los envíos a ${receiver} vuelven a funcionar`,
      opening: (when) => `Este destinatario vuelve a aceptar eventos desde el ${when}.`,
      next: 'No tiene que hacer nada. Los eventos pendientes llegarán en unos minutos.',
    },
  },
  event: {
    subject: (topic, event) => `${topic}: ${event}`,
    named: (subject) => `Asunto: ${subject}`,
    published: (topic, when) => `Este evento se publicó en el tema ${topic} el ${when}.`,
    test: 'Prueba de la suscripción',
    tested: (topic) => `Esta es una prueba de la suscripción al tema ${topic}: no ha ocurrido nada.`,
    source: 'Comunicado por',
    others: 'Otros campos del evento',
    empty: 'vacío',
    continued: (words) => `${words}… (continúa en el archivo adjunto)`,
    more: (count) =>
      inNumber(locale, count, {
        one: '# campo más figura únicamente en el archivo adjunto.',
        other: '# campos más figuran únicamente en el archivo adjunto.',
      }),
    attached: 'El evento se adjunta tal como se publicó.',
    hidden: 'Este evento no se puede mostrar en un correo. Se adjunta tal como se publicó.',
    message: (id) => `Identificador del mensaje: ${id}`,
    subscribed: (topic) => `Recibe este correo porque esta dirección está suscrita al tema ${topic}.`,
    leave: 'Cancelar la suscripción',
  },
};
