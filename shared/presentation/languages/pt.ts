import type * as en from './en.ts';
import { inNumber, usualWriting } from './writing.ts';

// The Portuguese of Portugal and of African administrations.
const locale = 'pt-PT';

export const shared: typeof en.shared = {
  writing: usualWriting(locale),
  // Lower case, because the names are parts of sentences.
  eventNames: {
    liveBirth: 'nascimento',
    death: 'óbito',
    birthCancellation: 'cancelamento de um registo de nascimento',
    foetalDeath: 'morte fetal',
    marriage: 'casamento',
    divorce: 'divórcio',
    annulment: 'anulação de um casamento',
    separation: 'separação de pessoas e bens',
    adoption: 'adoção',
    legitimation: 'legitimação',
    recognition: 'perfilhação',
    changeOfName: 'alteração de nome',
    changeOfGender: 'mudança da menção do sexo',
    updatePerson: 'alteração de dados pessoais',
    newPerson: 'inscrição de uma pessoa no registo',
    duplicatePerson: 'pessoa duplicada no registo',
  },
  request: {
    statusTopic: 'Problemas de envio',
    title: 'Confirme que pretende receber avisos do Registo Civil',
    button: 'Sim, pretendo receber estes avisos',
    never: 'Deixar de receber pedidos de confirmação neste endereço',
    begins: 'Só enviaremos avisos depois da sua confirmação.',
    replaces: (changes) =>
      'Já recebe avisos sobre este tema. Nada mudará antes da sua confirmação. ' +
      `Se confirmar o pedido, serão alterados os seguintes elementos: ${changes}.`,
    repeats: 'Já recebe estes avisos. Se confirmar o pedido, nada mudará.',
    changes: {
      subjects: 'os avisos que enviamos',
      policy: 'o calendário das novas tentativas quando um envio falha',
      deliveryFormat: 'o formato dos avisos enviados a sistemas informáticos',
      caller: 'a entidade que gere estes avisos',
    },
  },
  letterhead: { contact: 'Contacto', privacy: 'Política de privacidade' },
  address: 'Endereço',
  leave: 'Deixar de receber estes avisos',
};

const expiry = inNumber(locale, {
  one: 'O pedido expira #\u00a0dia após o envio.',
  other: 'O pedido expira #\u00a0dias após o envio.',
});

export const pages: typeof en.pages = {
  service: 'Avisos do Registo Civil',
  topic: 'Tema',
  events: 'Avisos',
  eventsBefore: 'Avisos que recebe atualmente',
  allEvents: 'todos',
  confirm: {
    lead: 'Recebemos um pedido de envio dos seguintes avisos para o endereço indicado.',
    otherwise: (days) => `Se não fez este pedido, feche esta página. ${expiry(days)}`,
  },
  neverAsk: {
    title: 'Pretende deixar de receber pedidos de confirmação?',
    lead:
      'Se escolher esta opção, não voltaremos a enviar pedidos de confirmação para o seu endereço. ' +
      'Continuará a receber os avisos que já aceitou.',
    button: 'Deixar de receber pedidos de confirmação',
    otherwise: 'Para continuar a receber pedidos de confirmação, feche esta página.',
  },
  neverAsked: {
    title: 'Deixará de receber pedidos de confirmação',
    lead:
      'A sua escolha foi registada. Não voltaremos a enviar pedidos de confirmação para o seu endereço. ' +
      'As ligações que já recebeu continuam válidas.',
    otherwise: 'Para alterar esta escolha, contacte a entidade que lhe enviou a mensagem.',
  },
  confirmed: {
    title: 'Confirmação recebida',
    lead: 'A partir de agora, enviaremos os seguintes avisos para o endereço indicado.',
    otherwise: 'Cada mensagem inclui uma ligação para deixar de receber estes avisos.',
  },
  unsubscribe: {
    title: 'Deixar de receber estes avisos',
    lead: 'Pretende que deixemos de enviar os seguintes avisos para o endereço indicado?',
    otherwise: 'Para continuar a recebê-los, feche esta página.',
  },
  unsubscribed: {
    title: 'Deixará de receber estes avisos',
    lead: 'Não voltaremos a enviar os seguintes avisos para o endereço indicado.',
    gone: 'O envio destes avisos para o seu endereço já tinha sido cancelado. Não precisa de fazer nada.',
  },
  badLink: {
    title: 'Esta ligação não funciona',
    incomplete:
      'A ligação está incompleta ou foi alterada. ' +
      'Abra-a de novo a partir da mensagem de correio eletrónico que recebeu.',
    confirm:
      'A ligação está incompleta, foi alterada ou foi substituída por outra mais recente. ' +
      'Abra a ligação da última mensagem que recebeu.',
    expired: 'A ligação expirou. Volte a pedir o envio destes avisos. Receberá uma mensagem com uma nova ligação.',
    unsubscribe:
      'A ligação está incompleta, foi alterada ou é demasiado antiga. Abra a ligação de uma mensagem mais recente. ' +
      'Também pode pedir à entidade que lhe enviou a mensagem que deixe de lhe enviar estes avisos.',
  },
  fault: {
    title: 'Ocorreu um erro',
    lead: 'Ocorreu um problema no nosso serviço. Tente de novo dentro de alguns minutos.',
    request: (id) => `Se o problema persistir, contacte-nos e indique esta referência: ${id}`,
  },
};

const parents = { uin: 'Criança', uin1: 'Primeiro progenitor', uin2: 'Segundo progenitor' };
const spouses = { uin1: 'Primeiro cônjuge', uin2: 'Segundo cônjuge' };
const person = { uin: 'Pessoa' };
const duplicates = { ...person, duplicates: 'Duplicados' };

// Portuguese has an article before the name of an institution, which we do not know.
const received = (organisation?: string): string =>
  organisation === undefined ? 'O Registo Civil recebeu' : `Os nossos serviços (${organisation}) receberam`;

export const mails: typeof en.mails = {
  locale,
  moment: (date, time, zone) => `${date}, às ${time} (${zone})`,
  events: {
    liveBirth: { happened: 'Foi registado um nascimento', labels: parents },
    death: { happened: 'Foi registado um óbito', labels: { uin: 'Pessoa falecida' } },
    birthCancellation: { happened: 'Foi cancelado um registo de nascimento', labels: person },
    foetalDeath: { happened: 'Foi registada uma morte fetal', labels: { uin: 'Feto' } },
    marriage: { happened: 'Foi registado um casamento', labels: spouses },
    divorce: { happened: 'Foi registado um divórcio', labels: spouses },
    annulment: { happened: 'Foi registada a anulação de um casamento', labels: spouses },
    separation: { happened: 'Foi registada uma separação de pessoas e bens', labels: spouses },
    adoption: { happened: 'Foi registada uma adoção', labels: parents },
    legitimation: { happened: 'Foi registada uma legitimação', labels: parents },
    recognition: { happened: 'Foi registada uma perfilhação', labels: parents },
    changeOfName: { happened: 'Foi registada uma alteração de nome', labels: person },
    changeOfGender: { happened: 'Foi registada uma mudança da menção do sexo', labels: person },
    updatePerson: { happened: 'Foram alterados os dados de uma pessoa', labels: person },
    newPerson: { happened: 'Foi inscrita uma nova pessoa no registo', labels: person },
    duplicatePerson: { happened: 'Uma pessoa consta várias vezes do registo', labels: duplicates },
  },
  confirm: {
    asked: (topic, organisation, only = '') =>
      `${received(organisation)} um pedido de envio de avisos sobre ${topic} para este endereço.` +
      (only && ` O pedido refere-se apenas aos seguintes avisos: ${only}.`),
    more: inNumber(locale, {
      one: 'mais # tipo de aviso (ver a página de confirmação)',
      other: 'mais # tipos de aviso (ver a página de confirmação)',
    }),
    address: 'Se o botão não funcionar, copie este endereço para o seu navegador:',
    otherwise: (days) => `Se não fez este pedido, ignore esta mensagem. ${expiry(days)}`,
  },
  status: {
    topic: 'Tema',
    failure: 'Causa técnica',
    subscription: 'Referência técnica',
    failing: {
      heading: (receiver) => `Os avisos não estão a chegar a ${receiver}`,
      opening: (when) => `Desde ${when}, não chegou nenhum aviso a este endereço.`,
      next:
        'Peça aos responsáveis por este endereço que averiguem a causa do problema. Continuamos a tentar: ' +
        'quando o problema estiver resolvido, os avisos pendentes chegarão dentro de alguns minutos. ' +
        'Se o problema persistir, poderemos suspender os envios.',
    },
    paused: {
      heading: (receiver) => `Já não enviamos avisos para ${receiver}`,
      opening: (when) => `Suspendemos o envio de avisos para este endereço. Desde ${when}, não chegou nenhum.`,
      next:
        'Peça aos responsáveis por este endereço que resolvam o problema. Em seguida, devem pedir de novo ' +
        'estes avisos, confirmar o novo pedido e solicitar o envio dos avisos em falta.',
    },
    recovered: {
      heading: (receiver) => `Os avisos voltaram a chegar a ${receiver}`,
      opening: (when) => `Os avisos voltaram a chegar a este endereço em ${when}.`,
      next: 'Não precisa de fazer nada. Os avisos pendentes chegarão dentro de alguns minutos.',
    },
  },
  event: {
    published: (topic, when) => `Este aviso sobre ${topic} foi emitido em ${when}.`,
    test: 'Aviso de teste',
    tested: (topic) => `Este é um aviso de teste sobre ${topic}. Não corresponde a nenhum facto real.`,
    source: 'Comunicado por',
    others: 'Outros dados',
    empty: 'não preenchido',
    continued: (words) => `${words}… (continua no anexo)`,
    more: inNumber(locale, {
      one: 'Outro dado consta apenas do anexo.',
      other: 'Outros # dados constam apenas do anexo.',
    }),
    attached: 'O anexo contém o aviso completo.',
    hidden: 'Não é possível mostrar este aviso no corpo da mensagem. Pode consultá-lo no anexo.',
    message: (id) => `Referência: ${id}`,
    subscribed: (topic) =>
      `Recebe esta mensagem porque foi confirmado o envio de avisos sobre ${topic} para este endereço.`,
  },
};
