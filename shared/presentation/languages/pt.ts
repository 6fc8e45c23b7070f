import type { EventNames, EventTexts } from './event-texts.ts';
import { inNumber } from './in-number.ts';
import type { MailTexts, PageTexts } from './texts.ts';

// As it is written in Portugal and by the administrations of Africa.
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
  updatePerson: 'Atualização de uma pessoa',
  newPerson: 'Nova pessoa',
  duplicatePerson: 'Pessoa duplicada',
};

const request: PageTexts['request'] = {
  title: 'Confirme a sua subscrição',
  button: 'Confirmar a subscrição',
  never: 'Não voltar a contactar este endereço',
  begins: 'Nada será enviado até que confirme.',
  replaces: (changes) =>
    `Este endereço já é informado de alguns eventos, e nada muda até que confirme. A confirmação altera o seguinte: ${changes}.`,
  repeats: 'Este endereço já é informado deles: a confirmação não altera nada.',
  changes: {
    subjects: 'os eventos de que é informado',
    policy: 'o modo de repetir um envio que falhou',
    deliveryFormat: 'o formato dos eventos enviados a programas',
    caller: 'o cliente a que pertence a subscrição',
  },
};

const letterhead: PageTexts['letterhead'] = { contact: 'Contacto', privacy: 'Política de privacidade' };

export const pages: PageTexts = {
  writing,
  eventNames,
  request,
  letterhead,
  service: 'Notificações do registo',
  topic: 'Tema',
  address: 'Endereço',
  events: 'Eventos',
  eventsBefore: 'Eventos até agora',
  allEvents: 'todos',
  confirm: {
    lead: 'Foi pedido que este endereço seja informado dos eventos deste tema.',
    otherwise: (days) =>
      inNumber(locale, days, {
        one: 'Se não fez este pedido, feche esta página: o pedido caduca por si ao fim de # dia.',
        other: 'Se não fez este pedido, feche esta página: o pedido caduca por si ao fim de # dias.',
      }),
  },
  neverAsk: {
    title: 'Não voltar a contactar este endereço',
    lead: 'Pretende que este endereço nunca mais receba pedidos de confirmação de subscrições? As subscrições já confirmadas mantêm-se.',
    button: 'Não voltar a contactar',
    otherwise: 'Para continuar a receber estes pedidos, feche esta página.',
  },
  neverAsked: {
    title: 'Este endereço não voltará a ser contactado',
    lead:
      'A partir de agora, mais ninguém pode subscrever em nome deste endereço. ' +
      'A ligação de um pedido que já tenha recebido continua a servir para confirmar.',
    otherwise: 'Para anular esta decisão, escreva ao responsável por este serviço.',
  },
  confirmed: {
    title: 'Subscrição confirmada',
    lead: 'A partir de agora, os eventos deste tema são enviados para este endereço.',
    otherwise: 'Cada mensagem contém uma ligação para cancelar a subscrição.',
  },
  unsubscribe: {
    title: 'Cancelar a subscrição',
    lead: 'Pretende que os eventos deste tema deixem de ser enviados para este endereço?',
    button: 'Cancelar a subscrição',
    otherwise: 'Para manter a subscrição, feche esta página.',
  },
  unsubscribed: {
    title: 'Subscrição cancelada',
    lead: 'Nada mais será enviado para este endereço sobre este tema.',
    gone: 'Esta subscrição terminou. Nada mais é enviado para o seu endereço.',
  },
  badLink: {
    title: 'Esta ligação não funciona',
    incomplete: 'A ligação está incompleta ou foi alterada. Abra-a de novo a partir da mensagem.',
    confirm:
      'A ligação está incompleta, foi alterada ou já não é a mais recente. Abra-a de novo a partir da última mensagem recebida.',
    expired: 'A ligação caducou. Peça de novo a subscrição: receberá uma mensagem com uma nova ligação.',
    unsubscribe:
      'A ligação está incompleta, foi alterada ou é demasiado antiga. Abra-a de novo a partir de ' +
      'uma mensagem mais recente ou peça ao responsável por este serviço que cancele a subscrição.',
  },
  fault: {
    title: 'Ocorreu um erro',
    lead: 'A falha é do nosso serviço. Tente de novo dentro de alguns minutos.',
    request: (id) => `Se o erro persistir, comunique este pedido: ${id}`,
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
  updatePerson: { happened: 'Foram atualizados os dados de uma pessoa', labels: person },
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
    asked: (topic) => `Foi pedido que este endereço seja informado dos eventos do tema ${topic}.`,
    askedOnly: (topic, only) =>
      `Foi pedido que este endereço seja informado apenas dos seguintes eventos do tema ${topic}: ${only}.`,
    more: (count) =>
      inNumber(locale, count, {
        one: 'mais #, que a página indica',
        other: 'mais #, que a página indica',
      }),
    address: 'Se o botão não funcionar, abra este endereço:',
    otherwise: (days) =>
      inNumber(locale, days, {
        one: 'Se não fez este pedido, ignore esta mensagem: o pedido caduca por si dentro de # dia.',
        other: 'Se não fez este pedido, ignore esta mensagem: o pedido caduca por si dentro de # dias.',
      }),
    programs: (url) => `Para programas: confirmar com GET ${url}`,
    token: (token) => `Código: ${token}`,
  },
  status: {
    receiver: 'Destinatário',
    topic: 'Tema',
    failure: 'Última falha',
    subscription: 'Subscrição',
    failing: {
      heading: (receiver) => `Os envios para ${receiver} estão a falhar`,
      opening: (when) => `Este destinatário não aceita nenhum evento desde ${when}.`,
      next:
        'Verifique o destinatário. O registo continua a tentar: quando o destinatário voltar a ' +
        'funcionar, os eventos em espera chegam dentro de minutos. Se as falhas continuarem, a ' +
        'subscrição poderá ser suspensa.',
    },
    paused: {
      heading: (receiver) => `Os envios para ${receiver} estão suspensos`,
      opening: (when) => `A subscrição está suspensa. O seu destinatário não aceita nenhum evento desde ${when}.`,
      next:
        'Corrija o destinatário. Em seguida, subscreva de novo o endereço, confirme o novo pedido e ' +
        'recupere os eventos em falta.',
    },
    recovered: {
      heading: (receiver) => `Os envios para ${receiver} voltaram a funcionar`,
      opening: (when) => `Este destinatário voltou a aceitar eventos desde ${when}.`,
      next: 'Não precisa de fazer nada. Os eventos em espera chegam dentro de minutos.',
    },
  },
  event: {
    subject: (topic, event) => `${topic}: ${event}`,
    named: (subject) => `Assunto: ${subject}`,
    published: (topic, when) => `Este evento foi publicado no tema ${topic} em ${when}.`,
    test: 'Teste da subscrição',
    tested: (topic) => `Este é um teste da subscrição do tema ${topic}: nada aconteceu.`,
    source: 'Comunicado por',
    others: 'Outros campos do evento',
    empty: 'vazio',
    continued: (words) => `${words}… (continua no anexo)`,
    more: (count) =>
      inNumber(locale, count, {
        one: 'Mais # campo consta apenas do anexo.',
        other: 'Mais # campos constam apenas do anexo.',
      }),
    attached: 'O evento segue em anexo tal como foi publicado.',
    hidden: 'Este evento não pode ser apresentado numa mensagem. Segue em anexo tal como foi publicado.',
    message: (id) => `Identificador da mensagem: ${id}`,
    subscribed: (topic) => `Recebe esta mensagem porque este endereço subscreveu o tema ${topic}.`,
    leave: 'Cancelar a subscrição',
  },
};
