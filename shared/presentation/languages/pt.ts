import type { EventNames, EventTexts } from './event-texts.ts';
import { inNumber } from './in-number.ts';
import type { MailTexts, PageTexts } from './texts.ts';

// The Portuguese of Portugal and of African administrations.
const locale = 'pt-PT';

const writing: PageTexts['writing'] = {
  locale,
  direction: 'ltr',
  quoted: (words) => `«${words}»`,
  introducing: (words) => `${words}:`,
};

const eventNames: EventNames = {
  liveBirth: 'Nascimento',
  death: 'Óbito',
  birthCancellation: 'Cancelamento de nascimento',
  foetalDeath: 'Morte fetal',
  marriage: 'Casamento',
  divorce: 'Divórcio',
  annulment: 'Anulação de casamento',
  separation: 'Separação judicial',
  adoption: 'Adoção',
  legitimation: 'Legitimação',
  recognition: 'Reconhecimento',
  changeOfName: 'Alteração de nome',
  changeOfGender: 'Mudança de sexo',
  updatePerson: 'Alteração de dados pessoais',
  newPerson: 'Nova pessoa',
  duplicatePerson: 'Pessoa duplicada',
};

const request: PageTexts['request'] = {
  statusTopic: 'Problemas de envio dos seus avisos',
  title: 'Confirme que pretende receber estes avisos',
  button: 'Sim, pretendo receber estes avisos',
  never: 'Não receber mais pedidos neste endereço',
  begins: 'Não enviamos nenhum aviso até que confirme.',
  replaces: (changes) =>
    `Já recebe alguns destes avisos. Nada muda até que confirme. Se confirmar, muda o seguinte: ${changes}.`,
  repeats: 'Já recebe estes avisos. Se confirmar, nada muda.',
  changes: {
    subjects: 'os avisos que enviamos',
    policy: 'a frequência com que repetimos um envio que falhou',
    deliveryFormat: 'o formato dos avisos enviados a sistemas informáticos',
    caller: 'a entidade que gere estes avisos',
  },
};

const letterhead: PageTexts['letterhead'] = { contact: 'Contacto', privacy: 'Política de privacidade' };

export const pages: PageTexts = {
  writing,
  eventNames,
  request,
  letterhead,
  service: 'Avisos do registo',
  topic: 'Tema',
  address: 'Endereço',
  events: 'Avisos',
  eventsBefore: 'Avisos até agora',
  allEvents: 'todos',
  confirm: {
    lead: 'Recebemos um pedido para enviar estes avisos para este endereço.',
    otherwise: (days) =>
      inNumber(locale, days, {
        one: 'Se não fez este pedido, feche esta página. O pedido caduca ao fim de # dia.',
        other: 'Se não fez este pedido, feche esta página. O pedido caduca ao fim de # dias.',
      }),
  },
  neverAsk: {
    title: 'Pretende deixar de receber pedidos neste endereço?',
    lead: 'Não voltaremos a enviar pedidos de confirmação para este endereço. Os avisos que já confirmou continuam a ser enviados.',
    button: 'Não receber mais pedidos',
    otherwise: 'Para continuar a receber pedidos, feche esta página.',
  },
  neverAsked: {
    title: 'Não receberá mais pedidos',
    lead: 'A partir de agora, mais ninguém pode pedir avisos para este endereço. As ligações que já recebeu continuam a funcionar.',
    otherwise: 'Se mudar de ideias, contacte a entidade que lhe enviou a mensagem.',
  },
  confirmed: {
    title: 'Confirmação recebida',
    lead: 'A partir de agora, enviamos estes avisos para este endereço.',
    otherwise: 'Cada mensagem inclui uma ligação para deixar de os receber.',
  },
  unsubscribe: {
    title: 'Deixar de receber estes avisos',
    lead: 'Pretende que deixemos de enviar estes avisos para este endereço?',
    button: 'Deixar de receber estes avisos',
    otherwise: 'Para continuar a recebê-los, feche esta página.',
  },
  unsubscribed: {
    title: 'Já não receberá estes avisos',
    lead: 'Não voltaremos a enviar estes avisos para este endereço.',
    gone: 'O envio destes avisos já tinha terminado. Não enviaremos mais nada para este endereço.',
  },
  badLink: {
    title: 'Esta ligação não funciona',
    incomplete: 'A ligação está incompleta ou foi alterada. Abra-a de novo a partir da mensagem.',
    confirm:
      'A ligação está incompleta, foi alterada ou já não é a mais recente. Abra a ligação da última mensagem que recebeu.',
    expired: 'A ligação caducou. Peça de novo estes avisos. Receberá uma mensagem com uma nova ligação.',
    unsubscribe:
      'A ligação está incompleta, foi alterada ou é demasiado antiga. Abra a ligação de uma mensagem mais recente ou peça à entidade que lhe enviou a mensagem que cancele estes avisos.',
  },
  fault: {
    title: 'Ocorreu um erro',
    lead: 'O problema é do nosso serviço. Tente de novo dentro de alguns minutos.',
    request: (id) => `Se o problema se repetir, contacte-nos e indique esta referência: ${id}`,
  },
};

const parents = { uin: 'Criança', uin1: 'Primeiro progenitor', uin2: 'Segundo progenitor' };
const spouses = { uin1: 'Primeiro cônjuge', uin2: 'Segundo cônjuge' };
const person = { uin: 'Pessoa' };

const events: EventTexts = {
  liveBirth: { happened: 'Foi registado um nascimento', labels: parents },
  death: { happened: 'Foi registado um óbito', labels: { uin: 'Pessoa falecida' } },
  birthCancellation: { happened: 'Foi cancelado o registo de um nascimento', labels: person },
  foetalDeath: { happened: 'Foi registada uma morte fetal', labels: { uin: 'Criança' } },
  marriage: { happened: 'Foi registado um casamento', labels: spouses },
  divorce: { happened: 'Foi registado um divórcio', labels: spouses },
  annulment: { happened: 'Foi registada a anulação de um casamento', labels: spouses },
  separation: { happened: 'Foi registada uma separação judicial', labels: spouses },
  adoption: { happened: 'Foi registada uma adoção', labels: parents },
  legitimation: { happened: 'Foi registada uma legitimação', labels: parents },
  recognition: { happened: 'Foi registado o reconhecimento de um filho', labels: parents },
  changeOfName: { happened: 'Foi registada uma alteração de nome', labels: person },
  changeOfGender: { happened: 'Foi registada uma mudança de sexo', labels: person },
  updatePerson: { happened: 'Foram alterados os dados de uma pessoa', labels: person },
  newPerson: { happened: 'Foi inscrita uma nova pessoa no registo', labels: person },
  duplicatePerson: {
    happened: 'Uma pessoa consta várias vezes do registo',
    labels: { uin: 'Pessoa', duplicates: 'Duplicados' },
  },
};

export const mails: MailTexts = {
  writing,
  eventNames,
  request,
  letterhead,
  events,
  confirm: {
    asked: (topic, organisation = 'O Registo Civil') =>
      `${organisation} recebeu um pedido para enviar avisos sobre ${topic} para este endereço.`,
    askedOnly: (topic, only, organisation = 'O Registo Civil') =>
      `${organisation} recebeu um pedido para enviar para este endereço apenas os seguintes avisos sobre ${topic}: ${only}.`,
    more: (count) => inNumber(locale, count, { other: 'mais #, que pode ver na página' }),
    address: 'Se o botão não funcionar, abra este endereço:',
    otherwise: (days) =>
      inNumber(locale, days, {
        one: 'Se não fez este pedido, não precisa de fazer nada. O pedido caduca dentro de # dia.',
        other: 'Se não fez este pedido, não precisa de fazer nada. O pedido caduca dentro de # dias.',
      }),
  },
  status: {
    receiver: 'Endereço',
    topic: 'Tema',
    failure: 'Causa técnica',
    subscription: 'Referência técnica',
    failing: {
      heading: (receiver) => `Os avisos não chegam a ${receiver}`,
      opening: (when) => `Nenhum aviso chegou a este endereço desde ${when}.`,
      next:
        'Peça aos responsáveis por este endereço que verifiquem o que se passa. Continuamos a tentar: quando o problema ' +
        'estiver resolvido, os avisos em espera chegam dentro de minutos. Se o problema continuar, poderemos suspender os envios.',
    },
    paused: {
      heading: (receiver) => `Já não enviamos avisos para ${receiver}`,
      opening: (when) => `Suspendemos o envio de avisos para este endereço. Nenhum aviso lá chegou desde ${when}.`,
      next:
        'Peça aos responsáveis por este endereço que resolvam o problema. Em seguida, devem pedir de novo estes avisos, ' +
        'confirmar o novo pedido e solicitar os avisos em falta.',
    },
    recovered: {
      heading: (receiver) => `Os avisos voltaram a chegar a ${receiver}`,
      opening: (when) => `Os avisos chegam de novo a este endereço desde ${when}.`,
      next: 'Não precisa de fazer nada. Os avisos em espera chegam dentro de minutos.',
    },
  },
  event: {
    subject: (topic, event) => `${topic}: ${event}`,
    published: (topic, when) => `Este aviso sobre ${topic} foi publicado em ${when}.`,
    test: 'Aviso de teste',
    tested: (topic) => `Este é um teste dos avisos sobre ${topic}. Nada aconteceu.`,
    source: 'Comunicado por',
    others: 'Mais dados',
    empty: 'vazio',
    continued: (words) => `${words}… (continua no anexo)`,
    more: (count) =>
      inNumber(locale, count, {
        one: 'Mais # dado consta apenas do anexo.',
        other: 'Mais # dados constam apenas do anexo.',
      }),
    attached: 'O anexo contém o aviso completo.',
    hidden: 'Não é possível mostrar este aviso numa mensagem. Encontra-o em anexo.',
    message: (id) => `Referência: ${id}`,
    subscribed: (topic) =>
      `Recebe esta mensagem porque foi confirmado o envio de avisos sobre ${topic} para este endereço.`,
    leave: 'Deixar de receber estes avisos',
  },
};
