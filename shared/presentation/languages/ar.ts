import type { EventNames, EventTexts } from './event-texts.ts';
import { inNumber } from './in-number.ts';
import type { MailTexts, PageTexts } from './texts.ts';

const locale = 'ar';

const writing: PageTexts['writing'] = {
  locale,
  direction: 'rtl',
  quoted: (words) => `«${words}»`,
  introducing: (words) => `${words}:`,
};

const eventNames: EventNames = {
  liveBirth: 'ولادة',
  death: 'وفاة',
  birthCancellation: 'إلغاء قيد ولادة',
  foetalDeath: 'وفاة جنين',
  marriage: 'زواج',
  divorce: 'طلاق',
  annulment: 'إبطال زواج',
  separation: 'انفصال قضائي',
  adoption: 'تبنٍّ',
  legitimation: 'إثبات نسب',
  recognition: 'إقرار ببنوّة',
  changeOfName: 'تغيير اسم',
  changeOfGender: 'تغيير جنس',
  updatePerson: 'تغيير بيانات شخص',
  newPerson: 'شخص جديد',
  duplicatePerson: 'قيد مكرر لشخص',
};

const request: PageTexts['request'] = {
  statusTopic: 'مشكلات إرسال الإشعارات',
  title: 'تأكيد رغبتك في تلقي هذه الإشعارات',
  button: 'نعم، أرغب في تلقي هذه الإشعارات',
  never: 'إيقاف جميع الطلبات إلى هذا العنوان',
  begins: 'لن نرسل أي إشعار قبل تأكيدك.',
  replaces: (changes) =>
    `يصلك بعض هذه الإشعارات حاليًا، ولن يتغير شيء قبل تأكيدك. وإذا أكدت، فسيتغير ما يلي: ${changes}.`,
  repeats: 'تصلك هذه الإشعارات حاليًا. وإذا أكدت، فلن يتغير شيء.',
  changes: {
    subjects: 'الإشعارات التي نرسلها',
    policy: 'وتيرة إعادة المحاولة عند تعذّر الإرسال',
    deliveryFormat: 'صيغة الإشعارات المُرسَلة إلى الأنظمة الحاسوبية',
    caller: 'الجهة التي تدير هذه الإشعارات',
  },
};

const letterhead: PageTexts['letterhead'] = { contact: 'للتواصل', privacy: 'سياسة الخصوصية' };

export const pages: PageTexts = {
  writing,
  eventNames,
  request,
  letterhead,
  service: 'إشعارات السجل',
  topic: 'الموضوع',
  address: 'العنوان',
  events: 'الإشعارات',
  eventsBefore: 'الإشعارات حتى الآن',
  allEvents: 'جميعها',
  confirm: {
    lead: 'تلقينا طلبًا لإرسال هذه الإشعارات إلى هذا العنوان.',
    otherwise: (days) =>
      inNumber(locale, days, {
        zero: 'إذا لم تطلب ذلك، فأغلق هذه الصفحة. تنتهي صلاحية الطلب اليوم.',
        one: 'إذا لم تطلب ذلك، فأغلق هذه الصفحة. تنتهي صلاحية الطلب بعد يوم واحد.',
        two: 'إذا لم تطلب ذلك، فأغلق هذه الصفحة. تنتهي صلاحية الطلب بعد يومين.',
        few: 'إذا لم تطلب ذلك، فأغلق هذه الصفحة. تنتهي صلاحية الطلب بعد # أيام.',
        many: 'إذا لم تطلب ذلك، فأغلق هذه الصفحة. تنتهي صلاحية الطلب بعد # يومًا.',
        other: 'إذا لم تطلب ذلك، فأغلق هذه الصفحة. تنتهي صلاحية الطلب بعد # يوم.',
      }),
  },
  neverAsk: {
    title: 'هل تريد إيقاف جميع الطلبات إلى هذا العنوان؟',
    lead: 'لن نرسل بعد ذلك أي طلب تأكيد إلى هذا العنوان. وسيستمر إرسال الإشعارات التي أكدتها من قبل.',
    button: 'إيقاف الطلبات',
    otherwise: 'للاستمرار في تلقي الطلبات، أغلق هذه الصفحة.',
  },
  neverAsked: {
    title: 'تم إيقاف الطلبات',
    lead: 'من الآن فصاعدًا لا يمكن لأي شخص آخر طلب إشعارات لهذا العنوان. وتبقى الروابط التي وصلتك من قبل صالحة.',
    otherwise: 'للتراجع عن ذلك، تواصل مع الجهة التي أرسلت إليك الرسالة.',
  },
  confirmed: {
    title: 'تم التأكيد',
    lead: 'من الآن فصاعدًا سنرسل هذه الإشعارات إلى هذا العنوان.',
    otherwise: 'تتضمن كل رسالة رابطًا لإيقاف هذه الإشعارات.',
  },
  unsubscribe: {
    title: 'إيقاف هذه الإشعارات',
    lead: 'هل تريد أن نتوقف عن إرسال هذه الإشعارات إلى هذا العنوان؟',
    button: 'إيقاف هذه الإشعارات',
    otherwise: 'للاستمرار في تلقيها، أغلق هذه الصفحة.',
  },
  unsubscribed: {
    title: 'تم إيقاف هذه الإشعارات',
    lead: 'لن نرسل هذه الإشعارات إلى هذا العنوان بعد الآن.',
    gone: 'سبق إيقاف هذه الإشعارات، ولن نرسل أي شيء آخر إلى هذا العنوان.',
  },
  badLink: {
    title: 'هذا الرابط لا يعمل',
    incomplete: 'الرابط ناقص أو معدَّل. افتحه مرة أخرى من الرسالة.',
    confirm: 'الرابط ناقص أو معدَّل أو لم يعد الأحدث. افتح الرابط الوارد في أحدث رسالة وصلتك.',
    expired: 'انتهت صلاحية الرابط. اطلب هذه الإشعارات مرة أخرى، وستصلك رسالة فيها رابط جديد.',
    unsubscribe:
      'الرابط ناقص أو معدَّل أو قديم جدًا. افتح الرابط الوارد في رسالة أحدث، أو اطلب من الجهة التي أرسلتها إيقاف هذه الإشعارات.',
  },
  fault: {
    title: 'حدث خطأ',
    lead: 'المشكلة من جانبنا. يُرجى المحاولة مرة أخرى بعد بضع دقائق.',
    request: (id) => `إذا تكررت المشكلة، فتواصل معنا واذكر هذا الرقم المرجعي: ${id}`,
  },
};

const parents = { uin: 'الطفل', uin1: 'الوالد الأول', uin2: 'الوالد الثاني' };
const spouses = { uin1: 'الزوج الأول', uin2: 'الزوج الثاني' };
const person = { uin: 'الشخص' };

const events: EventTexts = {
  liveBirth: { happened: 'تم تسجيل ولادة', labels: { ...parents, uin: 'المولود' } },
  death: { happened: 'تم تسجيل وفاة', labels: { uin: 'المتوفى' } },
  birthCancellation: { happened: 'تم إلغاء قيد ولادة', labels: person },
  foetalDeath: { happened: 'تم تسجيل وفاة جنين', labels: { uin: 'الجنين' } },
  marriage: { happened: 'تم تسجيل زواج', labels: spouses },
  divorce: { happened: 'تم تسجيل طلاق', labels: spouses },
  annulment: { happened: 'تم تسجيل إبطال زواج', labels: spouses },
  separation: { happened: 'تم تسجيل انفصال قضائي', labels: spouses },
  adoption: { happened: 'تم تسجيل تبنٍّ', labels: parents },
  legitimation: { happened: 'تم تسجيل إثبات نسب', labels: parents },
  recognition: { happened: 'تم تسجيل إقرار ببنوّة طفل', labels: parents },
  changeOfName: { happened: 'تم تسجيل تغيير اسم', labels: person },
  changeOfGender: { happened: 'تم تسجيل تغيير جنس', labels: person },
  updatePerson: { happened: 'تم تغيير بيانات شخص', labels: person },
  newPerson: { happened: 'تم قيد شخص جديد في السجل', labels: person },
  duplicatePerson: {
    happened: 'وُجدت قيود مكررة لشخص واحد',
    labels: { uin: 'الشخص', duplicates: 'القيود المكررة' },
  },
};

export const mails: MailTexts = {
  writing,
  eventNames,
  request,
  letterhead,
  events,
  confirm: {
    asked: (topic, organisation = 'السجل المدني') =>
      `ورد إلى ${organisation} طلب لإرسال إشعارات بشأن ${topic} إلى هذا العنوان.`,
    askedOnly: (topic, only, organisation = 'السجل المدني') =>
      `ورد إلى ${organisation} طلب لإرسال الإشعارات التالية فقط بشأن ${topic} إلى هذا العنوان: ${only}.`,
    more: (count) =>
      inNumber(locale, count, {
        one: 'إشعار آخر تجده في الصفحة',
        two: 'إشعاران آخران تجدهما في الصفحة',
        few: '# إشعارات أخرى تجدها في الصفحة',
        many: '# إشعارًا آخر تجدها في الصفحة',
        other: '# إشعار آخر تجدها في الصفحة',
      }),
    address: 'إذا لم يعمل الزر، فافتح هذا العنوان:',
    otherwise: (days) =>
      inNumber(locale, days, {
        zero: 'إذا لم تطلب ذلك، فلا يلزمك أي إجراء. تنتهي صلاحية الطلب اليوم.',
        one: 'إذا لم تطلب ذلك، فلا يلزمك أي إجراء. تنتهي صلاحية الطلب خلال يوم واحد.',
        two: 'إذا لم تطلب ذلك، فلا يلزمك أي إجراء. تنتهي صلاحية الطلب خلال يومين.',
        few: 'إذا لم تطلب ذلك، فلا يلزمك أي إجراء. تنتهي صلاحية الطلب خلال # أيام.',
        many: 'إذا لم تطلب ذلك، فلا يلزمك أي إجراء. تنتهي صلاحية الطلب خلال # يومًا.',
        other: 'إذا لم تطلب ذلك، فلا يلزمك أي إجراء. تنتهي صلاحية الطلب خلال # يوم.',
      }),
  },
  status: {
    receiver: 'العنوان',
    topic: 'الموضوع',
    failure: 'السبب التقني',
    subscription: 'المرجع التقني',
    failing: {
      heading: (receiver) => `الإشعارات لا تصل إلى ${receiver}`,
      opening: (when) => `لم يصل أي إشعار إلى هذا العنوان منذ ${when}.`,
      next:
        'يُرجى أن تطلب من المسؤولين عن هذا العنوان البحث عن سبب المشكلة. نواصل محاولة الإرسال، وعند حل المشكلة ' +
        'تصل الإشعارات المنتظرة خلال دقائق. وإذا استمرت المشكلة فقد نوقف الإرسال.',
    },
    paused: {
      heading: (receiver) => `أوقفنا إرسال الإشعارات إلى ${receiver}`,
      opening: (when) => `أوقفنا إرسال الإشعارات إلى هذا العنوان، إذ لم يصل إليه أي إشعار منذ ${when}.`,
      next:
        'يُرجى أن تطلب من المسؤولين عن هذا العنوان حل المشكلة. وعليهم بعد ذلك طلب هذه الإشعارات من جديد ' +
        'وتأكيد الطلب الجديد، ثم طلب الإشعارات الفائتة.',
    },
    recovered: {
      heading: (receiver) => `عادت الإشعارات تصل إلى ${receiver}`,
      opening: (when) => `عادت الإشعارات تصل إلى هذا العنوان منذ ${when}.`,
      next: 'لا يلزمك أي إجراء. تصل الإشعارات المنتظرة خلال دقائق.',
    },
  },
  event: {
    subject: (topic, event) => `${topic}: ${event}`,
    published: (topic, when) => `نُشر هذا الإشعار بشأن ${topic} بتاريخ ${when}.`,
    test: 'إشعار تجريبي',
    tested: (topic) => `هذا إشعار تجريبي بشأن ${topic}، ولم يقع أي حدث.`,
    source: 'الجهة المُبلِّغة',
    others: 'بيانات أخرى',
    empty: 'فارغ',
    continued: (words) => `${words}… (التتمة في المرفق)`,
    more: (count) =>
      inNumber(locale, count, {
        one: 'يوجد بيان آخر في المرفق فقط.',
        two: 'يوجد بيانان آخران في المرفق فقط.',
        few: 'توجد # بيانات أخرى في المرفق فقط.',
        many: 'يوجد # بيانًا آخر في المرفق فقط.',
        other: 'يوجد # بيان آخر في المرفق فقط.',
      }),
    attached: 'يتضمن المرفق الإشعار كاملًا.',
    hidden: 'لا يمكن عرض هذا الإشعار في رسالة، وتجده في المرفق.',
    message: (id) => `الرقم المرجعي: ${id}`,
    subscribed: (topic) => `وصلتك هذه الرسالة لأنه تم تأكيد إرسال إشعارات بشأن ${topic} إلى هذا العنوان.`,
    leave: 'إيقاف هذه الإشعارات',
  },
};
