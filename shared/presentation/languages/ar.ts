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
  updatePerson: 'تحديث بيانات شخص',
  newPerson: 'شخص جديد',
  duplicatePerson: 'قيد مكرر لشخص',
};

const request: PageTexts['request'] = {
  title: 'تأكيد اشتراكك',
  button: 'تأكيد الاشتراك',
  never: 'عدم مراسلة هذا العنوان مجددًا',
  begins: 'لن يُرسَل أي شيء قبل تأكيدك.',
  replaces: (changes) =>
    `يُبلَّغ هذا العنوان ببعض الأحداث حاليًا، ولن يتغير ذلك قبل تأكيدك. ويؤدي التأكيد إلى تغيير ما يلي: ${changes}.`,
  repeats: 'يُبلَّغ هذا العنوان بها حاليًا، ولن يغيّر التأكيد شيئًا.',
  changes: {
    subjects: 'الأحداث التي يُبلَّغ بها',
    policy: 'طريقة إعادة محاولة الإرسال عند تعذّره',
    deliveryFormat: 'صيغة الأحداث المُرسَلة إلى البرامج',
    caller: 'الجهة العميلة التي يتبعها الاشتراك',
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
  events: 'الأحداث',
  eventsBefore: 'الأحداث حتى الآن',
  allEvents: 'جميعها',
  confirm: {
    lead: 'طُلب إبلاغ هذا العنوان بأحداث هذا الموضوع.',
    otherwise: (days) =>
      inNumber(locale, days, {
        zero: 'إذا لم تطلب ذلك، فأغلق هذه الصفحة: ينتهي الطلب تلقائيًا اليوم.',
        one: 'إذا لم تطلب ذلك، فأغلق هذه الصفحة: ينتهي الطلب تلقائيًا بعد يوم واحد.',
        two: 'إذا لم تطلب ذلك، فأغلق هذه الصفحة: ينتهي الطلب تلقائيًا بعد يومين.',
        few: 'إذا لم تطلب ذلك، فأغلق هذه الصفحة: ينتهي الطلب تلقائيًا بعد # أيام.',
        many: 'إذا لم تطلب ذلك، فأغلق هذه الصفحة: ينتهي الطلب تلقائيًا بعد # يومًا.',
        other: 'إذا لم تطلب ذلك، فأغلق هذه الصفحة: ينتهي الطلب تلقائيًا بعد # يوم.',
      }),
  },
  neverAsk: {
    title: 'عدم مراسلة هذا العنوان مجددًا',
    lead: 'هل تريد ألا يتلقى هذا العنوان بعد الآن أي طلب لتأكيد اشتراك؟ تبقى الاشتراكات المؤكَّدة سارية.',
    button: 'عدم المراسلة مجددًا',
    otherwise: 'للاستمرار في تلقي هذه الطلبات، أغلق هذه الصفحة.',
  },
  neverAsked: {
    title: 'لن يُراسَل هذا العنوان مجددًا',
    lead: 'لا يمكن لأي شخص آخر بعد الآن تسجيل اشتراك لهذا العنوان. ويظل رابط أي طلب وصلك من قبل صالحًا للتأكيد.',
    otherwise: 'للتراجع عن ذلك، راسل الجهة المسؤولة عن هذه الخدمة.',
  },
  confirmed: {
    title: 'تم تأكيد الاشتراك',
    lead: 'من الآن فصاعدًا تُرسَل أحداث هذا الموضوع إلى هذا العنوان.',
    otherwise: 'تتضمن كل رسالة رابطًا لإلغاء الاشتراك.',
  },
  unsubscribe: {
    title: 'إلغاء الاشتراك',
    lead: 'هل تريد إيقاف إرسال أحداث هذا الموضوع إلى هذا العنوان؟',
    button: 'إلغاء الاشتراك',
    otherwise: 'للإبقاء على الاشتراك، أغلق هذه الصفحة.',
  },
  unsubscribed: {
    title: 'تم إلغاء اشتراكك',
    lead: 'لن يُرسَل أي شيء بعد الآن إلى هذا العنوان بشأن هذا الموضوع.',
    gone: 'انتهى هذا الاشتراك. لن يُرسَل أي شيء بعد الآن إلى عنوانه.',
  },
  badLink: {
    title: 'هذا الرابط لا يعمل',
    incomplete: 'الرابط ناقص أو معدَّل. افتحه مرة أخرى من الرسالة.',
    confirm: 'الرابط ناقص أو معدَّل أو لم يعد أحدث رابط. افتحه مرة أخرى من أحدث رسالة.',
    expired: 'انتهت صلاحية الرابط. اطلب الاشتراك مرة أخرى، وستصلك رسالة فيها رابط جديد.',
    unsubscribe:
      'الرابط ناقص أو معدَّل أو قديم جدًا. افتحه مرة أخرى من رسالة أحدث، أو اطلب من الجهة المسؤولة عن هذه الخدمة إنهاء الاشتراك.',
  },
  fault: {
    title: 'حدث خطأ',
    lead: 'الخطأ من جانبنا. يُرجى المحاولة مرة أخرى بعد بضع دقائق.',
    request: (id) => `إذا استمر الخطأ، فأبلغ عن هذا الطلب: ${id}`,
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
  updatePerson: { happened: 'تم تحديث بيانات شخص', labels: person },
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
    asked: (topic) => `طُلب إبلاغ هذا العنوان بأحداث الموضوع ${topic}.`,
    askedOnly: (topic, only) => `طُلب إبلاغ هذا العنوان بالأحداث التالية فقط من الموضوع ${topic}: ${only}.`,
    more: (count) =>
      inNumber(locale, count, {
        one: 'حدث آخر تذكره الصفحة',
        two: 'حدثان آخران تذكرهما الصفحة',
        few: '# أحداث أخرى تذكرها الصفحة',
        many: '# حدثًا آخر تذكرها الصفحة',
        other: '# حدث آخر تذكرها الصفحة',
      }),
    address: 'إذا لم يعمل الزر، فافتح هذا العنوان:',
    otherwise: (days) =>
      inNumber(locale, days, {
        zero: 'إذا لم تطلب ذلك، فتجاهل هذه الرسالة: ينتهي الطلب تلقائيًا اليوم.',
        one: 'إذا لم تطلب ذلك، فتجاهل هذه الرسالة: ينتهي الطلب تلقائيًا خلال يوم واحد.',
        two: 'إذا لم تطلب ذلك، فتجاهل هذه الرسالة: ينتهي الطلب تلقائيًا خلال يومين.',
        few: 'إذا لم تطلب ذلك، فتجاهل هذه الرسالة: ينتهي الطلب تلقائيًا خلال # أيام.',
        many: 'إذا لم تطلب ذلك، فتجاهل هذه الرسالة: ينتهي الطلب تلقائيًا خلال # يومًا.',
        other: 'إذا لم تطلب ذلك، فتجاهل هذه الرسالة: ينتهي الطلب تلقائيًا خلال # يوم.',
      }),
    programs: (url) => `للبرامج: التأكيد بطلب GET ${url}`,
    token: (token) => `الرمز: ${token}`,
  },
  status: {
    receiver: 'الجهة المستقبِلة',
    topic: 'الموضوع',
    failure: 'آخر خطأ',
    subscription: 'الاشتراك',
    failing: {
      heading: (receiver) => `يتعذر الإرسال إلى ${receiver}`,
      opening: (when) => `لم تقبل هذه الجهة أي حدث منذ ${when}.`,
      next: 'يُرجى التحقق من الجهة المستقبِلة. يواصل السجل محاولاته، وعندما تعود الجهة إلى العمل تصل الأحداث المنتظرة خلال دقائق. وإذا استمر الخطأ فقد يُعلَّق الاشتراك.',
    },
    paused: {
      heading: (receiver) => `عُلِّق الإرسال إلى ${receiver}`,
      opening: (when) => `الاشتراك معلَّق، إذ لم تقبل جهته المستقبِلة أي حدث منذ ${when}.`,
      next: 'يُرجى إصلاح الجهة المستقبِلة، ثم تسجيل اشتراك عنوانها من جديد وتأكيد الطلب الجديد واسترجاع الأحداث الفائتة.',
    },
    recovered: {
      heading: (receiver) => `عاد الإرسال إلى ${receiver} إلى العمل`,
      opening: (when) => `تقبل هذه الجهة الأحداث من جديد منذ ${when}.`,
      next: 'لا يلزمك أي إجراء. تصل الأحداث المنتظرة خلال دقائق.',
    },
  },
  event: {
    subject: (topic, event) => `${topic}: ${event}`,
    named: (subject) => `نوع الحدث: ${subject}`,
    published: (topic, when) => `نُشر هذا الحدث في الموضوع ${topic} بتاريخ ${when}.`,
    test: 'اختبار الاشتراك',
    tested: (topic) => `هذا اختبار للاشتراك في الموضوع ${topic}، ولم يقع أي حدث.`,
    source: 'الجهة المُبلِّغة',
    others: 'حقول أخرى للحدث',
    empty: 'فارغ',
    continued: (words) => `${words}… (التتمة في المرفق)`,
    more: (count) =>
      inNumber(locale, count, {
        one: 'يوجد حقل آخر في المرفق فقط.',
        two: 'يوجد حقلان آخران في المرفق فقط.',
        few: 'توجد # حقول أخرى في المرفق فقط.',
        many: 'يوجد # حقلًا آخر في المرفق فقط.',
        other: 'يوجد # حقل آخر في المرفق فقط.',
      }),
    attached: 'الحدث مرفق كما نُشر.',
    hidden: 'لا يمكن عرض هذا الحدث في رسالة. وهو مرفق كما نُشر.',
    message: (id) => `معرّف الرسالة: ${id}`,
    subscribed: (topic) => `وصلتك هذه الرسالة لأن هذا العنوان مشترك في الموضوع ${topic}.`,
    leave: 'إلغاء الاشتراك',
  },
};
