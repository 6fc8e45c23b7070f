import type * as en from './en.ts';
import { inNumber, usualWriting } from './writing.ts';

const locale = 'es';

export const shared: typeof en.shared = {
  writing: usualWriting(locale),
  // Lower case, because the names are parts of sentences.
  eventNames: {
    liveBirth: 'nacimiento',
    death: 'defunción',
    birthCancellation: 'cancelación de la inscripción de un nacimiento',
    foetalDeath: 'defunción fetal',
    marriage: 'matrimonio',
    divorce: 'divorcio',
    annulment: 'nulidad matrimonial',
    separation: 'separación legal',
    adoption: 'adopción',
    legitimation: 'legitimación',
    recognition: 'reconocimiento de un hijo o hija',
    changeOfName: 'cambio de nombre',
    changeOfGender: 'cambio de sexo',
    updatePerson: 'modificación de datos personales',
    newPerson: 'incorporación de una persona al registro',
    duplicatePerson: 'persona duplicada en el registro',
  },
  request: {
    statusTopic: 'Problemas de envío',
    title: 'Confirme que desea recibir avisos del Registro Civil',
    button: 'Sí, deseo recibir estos avisos',
    never: 'No recibir más solicitudes de confirmación en esta dirección',
    begins: 'No enviaremos ningún aviso hasta que usted confirme la solicitud.',
    replaces: (changes) =>
      'Usted ya recibe avisos sobre este tema. No cambiará nada hasta que confirme la solicitud. ' +
      `Si la confirma, cambiará lo siguiente: ${changes}.`,
    repeats: 'Usted ya recibe estos avisos. Si confirma la solicitud, no cambiará nada.',
    changes: {
      subjects: 'los avisos que enviamos',
      policy: 'el calendario de los reintentos cuando falla un envío',
      deliveryFormat: 'el formato de los avisos que se envían a sistemas informáticos',
      caller: 'el organismo que gestiona estos avisos',
    },
  },
  letterhead: { contact: 'Contacto', privacy: 'Protección de datos personales' },
  address: 'Dirección',
  leave: 'Dejar de recibir estos avisos',
};

const unknown = 'Si usted no ha hecho esta solicitud';

const expiry = inNumber(locale, {
  one: 'La solicitud caducará #\u00a0día después de su envío.',
  other: 'La solicitud caducará #\u00a0días después de su envío.',
});

export const pages: typeof en.pages = {
  service: 'Avisos del Registro Civil',
  topic: 'Tema',
  events: 'Avisos',
  eventsBefore: 'Avisos que recibe actualmente',
  allEvents: 'todos',
  confirm: {
    lead: 'Hemos recibido una solicitud para enviar los siguientes avisos a la dirección indicada.',
    otherwise: (days) => `${unknown}, cierre esta página. ${expiry(days)}`,
  },
  neverAsk: {
    title: '¿Desea dejar de recibir solicitudes de confirmación?',
    lead:
      'Si elige esta opción, no volveremos a enviar solicitudes de confirmación a su dirección. ' +
      'Usted seguirá recibiendo los avisos que ya ha aceptado.',
    button: 'No recibir más solicitudes de confirmación',
    otherwise: 'Para seguir recibiendo solicitudes de confirmación, cierre esta página.',
  },
  neverAsked: {
    title: 'No recibirá más solicitudes de confirmación',
    lead:
      'Hemos registrado su decisión. No volveremos a enviar solicitudes de confirmación a su dirección. ' +
      'Los enlaces que ya ha recibido siguen siendo válidos.',
    otherwise: 'Si cambia de opinión, póngase en contacto con el organismo que le envió el correo.',
  },
  confirmed: {
    title: 'Confirmación recibida',
    lead: 'A partir de ahora, enviaremos los siguientes avisos a la dirección indicada.',
    otherwise: 'Cada correo incluye un enlace para dejar de recibir estos avisos.',
  },
  unsubscribe: {
    title: 'Dejar de recibir estos avisos',
    lead: '¿Desea que dejemos de enviar los siguientes avisos a la dirección indicada?',
    otherwise: 'Para seguir recibiéndolos, cierre esta página.',
  },
  unsubscribed: {
    title: 'Ya no recibirá estos avisos',
    lead: 'No volveremos a enviar los siguientes avisos a la dirección indicada.',
    gone: 'El envío de estos avisos a su dirección ya se había detenido. No tiene que hacer nada.',
  },
  badLink: {
    title: 'Este enlace no funciona',
    incomplete:
      'El enlace está incompleto o se ha modificado. Ábralo de nuevo desde el correo electrónico que recibió.',
    confirm:
      'El enlace está incompleto, se ha modificado o se ha sustituido por otro más reciente. ' +
      'Abra el enlace del último correo que haya recibido.',
    expired: 'El enlace ha caducado. Vuelva a solicitar estos avisos. Recibirá un correo con un enlace nuevo.',
    unsubscribe:
      'El enlace está incompleto, se ha modificado o es demasiado antiguo. Abra el enlace de un correo más reciente. ' +
      'También puede pedir al organismo que le envió el correo que deje de enviarle estos avisos.',
  },
  fault: {
    title: 'Se ha producido un error',
    lead: 'El problema se debe a un fallo de nuestro servicio. Inténtelo de nuevo dentro de unos minutos.',
    request: (id) => `Si el problema persiste, póngase en contacto con nosotros e indique esta referencia: ${id}`,
  },
};

const parents = { uin: 'Hijo o hija', uin1: 'Primer progenitor', uin2: 'Segundo progenitor' };
const spouses = { uin1: 'Primer cónyuge', uin2: 'Segundo cónyuge' };
const person = { uin: 'Persona' };
const duplicates = { ...person, duplicates: 'Duplicados' };

// Spanish has an article before the name of an institution, which we do not know.
const received = (organisation?: string): string =>
  organisation === undefined ? 'El Registro Civil ha recibido' : `Nuestra institución (${organisation}) ha recibido`;

export const mails: typeof en.mails = {
  locale,
  moment: (date, time, zone) => `${date} a las ${time} (${zone})`,
  events: {
    liveBirth: { happened: 'Se ha inscrito un nacimiento', labels: { ...parents, uin: 'Persona inscrita' } },
    death: { happened: 'Se ha inscrito una defunción', labels: { uin: 'Persona fallecida' } },
    birthCancellation: { happened: 'Se ha cancelado la inscripción de un nacimiento', labels: person },
    foetalDeath: { happened: 'Se ha inscrito una defunción fetal', labels: { uin: 'Feto' } },
    marriage: { happened: 'Se ha inscrito un matrimonio', labels: spouses },
    divorce: { happened: 'Se ha inscrito un divorcio', labels: spouses },
    annulment: { happened: 'Se ha inscrito una nulidad matrimonial', labels: spouses },
    separation: { happened: 'Se ha inscrito una separación legal', labels: spouses },
    adoption: { happened: 'Se ha inscrito una adopción', labels: { ...parents, uin: 'Persona adoptada' } },
    legitimation: { happened: 'Se ha inscrito una legitimación', labels: parents },
    recognition: { happened: 'Se ha inscrito el reconocimiento de un hijo o hija', labels: parents },
    changeOfName: { happened: 'Se ha inscrito un cambio de nombre', labels: person },
    changeOfGender: { happened: 'Se ha inscrito un cambio de sexo', labels: person },
    updatePerson: { happened: 'Se han modificado los datos de una persona', labels: person },
    newPerson: { happened: 'Se ha incorporado una nueva persona al registro', labels: person },
    duplicatePerson: { happened: 'Una persona figura varias veces en el registro', labels: duplicates },
  },
  confirm: {
    asked: (topic, organisation, only = '') =>
      `${received(organisation)} una solicitud para enviar avisos sobre ${topic} a esta dirección.` +
      (only && ` La solicitud se refiere únicamente a los siguientes avisos: ${only}.`),
    more: inNumber(locale, {
      one: '# tipo de aviso más (consulte la página de confirmación)',
      other: '# tipos de aviso más (consulte la página de confirmación)',
    }),
    address: 'Si el botón no funciona, copie esta dirección en su navegador:',
    otherwise: (days) => `${unknown}, ignore este correo. ${expiry(days)}`,
  },
  status: {
    topic: 'Tema',
    failure: 'Causa técnica',
    subscription: 'Referencia técnica',
    failing: {
      heading: (receiver) => `Los avisos no llegan a ${receiver}`,
      opening: (when) => `Desde el ${when} no ha llegado ningún aviso a esta dirección.`,
      next:
        'Pida a los responsables de esta dirección que averigüen la causa. Seguimos intentándolo: cuando se resuelva ' +
        'el problema, los avisos pendientes llegarán en unos minutos. ' +
        'Si el problema continúa, podríamos suspender los envíos.',
    },
    paused: {
      heading: (receiver) => `Ya no enviamos avisos a ${receiver}`,
      opening: (when) =>
        `Hemos suspendido el envío de avisos a esta dirección. Desde el ${when} no ha llegado ninguno.`,
      next:
        'Pida a los responsables de esta dirección que resuelvan el problema. Después, deberán volver a solicitar ' +
        'estos avisos, confirmar la nueva solicitud y pedir que se les envíen los avisos que no llegaron.',
    },
    recovered: {
      heading: (receiver) => `Los avisos vuelven a llegar a ${receiver}`,
      opening: (when) => `Desde el ${when}, los avisos vuelven a llegar a esta dirección.`,
      next: 'No tiene que hacer nada. Los avisos pendientes llegarán en unos minutos.',
    },
  },
  event: {
    published: (topic, when) => `Este aviso sobre ${topic} se emitió el ${when}.`,
    test: 'Aviso de prueba',
    tested: (topic) => `Este es un aviso de prueba sobre ${topic}. No corresponde a ningún hecho real.`,
    source: 'Comunicado por',
    others: 'Otros datos',
    empty: 'sin datos',
    continued: (words) => `${words}… (continúa en el archivo adjunto)`,
    more: inNumber(locale, {
      one: 'Otro dato figura únicamente en el archivo adjunto.',
      other: 'Otros # datos figuran únicamente en el archivo adjunto.',
    }),
    attached: 'El archivo adjunto contiene el aviso completo.',
    hidden: 'Este aviso no se puede mostrar en el cuerpo del correo. Lo encontrará en el archivo adjunto.',
    message: (id) => `Referencia: ${id}`,
    subscribed: (topic) => `Recibe este correo porque se confirmó el envío de avisos sobre ${topic} a esta dirección.`,
  },
};
