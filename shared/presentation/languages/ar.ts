import type * as en from './en.ts';
import { inNumber, usualWriting } from './writing.ts';

const locale = 'ar';

export const shared: typeof en.shared = {
  writing: {
    ...usualWriting(locale),
    direction: 'rtl',
    // The list of CLDR has no commas, so a reader cannot tell where each name ends.
    listed: (words) => words.join('، و'),
  },
  eventNames: {
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
    recognition: 'إقرار ببنوّة طفل',
    changeOfName: 'تغيير اسم',
    changeOfGender: 'تغيير بيان الجنس',
    updatePerson: 'تعديل بيانات شخص',
    newPerson: 'قيد شخص جديد',
    duplicatePerson: 'قيود مكررة لشخص واحد',
  },
  request: {
    statusTopic: 'مشكلات إرسال الإشعارات',
    title: 'تأكيد رغبتك في تلقي إشعارات السجل المدني',
    button: 'نعم، أرغب في تلقي هذه الإشعارات',
    never: 'إيقاف إرسال طلبات التأكيد إلى هذا العنوان',
    begins: 'لن نرسل أي إشعار قبل تأكيد الطلب.',
    replaces: (changes) =>
      `تصلك حاليًا إشعارات بشأن هذا الموضوع، ولن يتغير شيء قبل تأكيد الطلب. وعند تأكيده، سيتغير ما يلي: ${changes}.`,
    repeats: 'تصلك هذه الإشعارات حاليًا، ولن يتغير شيء عند تأكيد الطلب.',
    changes: {
      subjects: 'الإشعارات التي نرسلها',
      policy: 'عدد مرات إعادة المحاولة ووتيرتها عند تعذر الإرسال',
      deliveryFormat: 'صيغة الإشعارات المرسلة إلى الأنظمة الإلكترونية',
      caller: 'الجهة التي تدير هذه الإشعارات',
    },
  },
  letterhead: { contact: 'للتواصل', privacy: 'سياسة الخصوصية' },
  address: 'عنوان المستلم',
  leave: 'إيقاف هذه الإشعارات',
};

// Requests are nouns, because an Arabic imperative has the gender of the reader.
const unknown = 'إذا لم يكن هذا الطلب صادرًا عنك، فيُرجى';

const expiry = inNumber(locale, {
  zero: 'تنتهي صلاحية الطلب في يوم إرساله.',
  one: 'تنتهي صلاحية الطلب بعد يوم واحد من إرساله.',
  two: 'تنتهي صلاحية الطلب بعد يومين من إرساله.',
  few: 'تنتهي صلاحية الطلب بعد # أيام من إرساله.',
  many: 'تنتهي صلاحية الطلب بعد # يومًا من إرساله.',
  other: 'تنتهي صلاحية الطلب بعد # يوم من إرساله.',
});

export const pages: typeof en.pages = {
  service: 'إشعارات السجل المدني',
  topic: 'الموضوع',
  events: 'الإشعارات',
  eventsBefore: 'الإشعارات التي تصلك حاليًا',
  allEvents: 'جميعها',
  confirm: {
    lead: 'تلقينا طلبًا لإرسال الإشعارات التالية إلى عنوان المستلم المذكور أدناه.',
    otherwise: (days) => `${unknown} إغلاق هذه الصفحة. ${expiry(days)}`,
  },
  neverAsk: {
    title: 'إيقاف طلبات التأكيد',
    lead:
      'عند تأكيد هذا الاختيار، لن نرسل أي طلب تأكيد آخر إلى عنوانك. ' +
      'وسنواصل إرسال الإشعارات التي وافقت على تلقيها من قبل.',
    button: 'إيقاف طلبات التأكيد',
    otherwise: 'للاستمرار في تلقي طلبات التأكيد، يُرجى إغلاق هذه الصفحة.',
  },
  neverAsked: {
    title: 'تم إيقاف طلبات التأكيد',
    lead: 'لن نرسل أي طلب تأكيد آخر إلى عنوانك. وتبقى الروابط التي وصلتك من قبل صالحة.',
    otherwise: 'للتراجع عن هذا الاختيار، يُرجى التواصل مع الجهة التي أرسلت إليك الرسالة.',
  },
  confirmed: {
    title: 'تم التأكيد',
    lead: 'سنرسل الإشعارات التالية من الآن فصاعدًا إلى عنوان المستلم المذكور أدناه.',
    otherwise: 'تتضمن كل رسالة رابطًا لإيقاف هذه الإشعارات.',
  },
  unsubscribe: {
    title: 'إيقاف هذه الإشعارات',
    lead: 'عند تأكيد هذا الاختيار، لن نرسل الإشعارات التالية إلى عنوان المستلم المذكور أدناه بعد الآن.',
    otherwise: 'للاستمرار في تلقي هذه الإشعارات، يُرجى إغلاق هذه الصفحة.',
  },
  unsubscribed: {
    title: 'تم إيقاف هذه الإشعارات',
    lead: 'لن نرسل الإشعارات التالية إلى عنوان المستلم المذكور أدناه بعد الآن.',
    gone: 'سبق إيقاف هذه الإشعارات، ولا يلزم اتخاذ أي إجراء.',
  },
  badLink: {
    title: 'هذا الرابط لا يعمل',
    incomplete: 'الرابط غير مكتمل أو تم تعديله. يُرجى فتحه مرة أخرى من رسالة البريد الإلكتروني التي وصلتك.',
    confirm: 'الرابط غير مكتمل أو تم تعديله أو حل محله رابط أحدث. يُرجى فتح الرابط الوارد في أحدث رسالة وصلتك.',
    expired: 'انتهت صلاحية الرابط. يُرجى طلب هذه الإشعارات مرة أخرى، وستصلك رسالة فيها رابط جديد.',
    unsubscribe:
      'الرابط غير مكتمل أو تم تعديله أو مضى عليه وقت طويل. يُرجى فتح الرابط الوارد في رسالة أحدث، ' +
      'أو التواصل مع الجهة التي أرسلت إليك الرسالة لإيقاف هذه الإشعارات.',
  },
  fault: {
    title: 'حدث خطأ',
    lead: 'حدث خلل في خدمتنا. يُرجى المحاولة مرة أخرى بعد بضع دقائق.',
    request: (id) => `إذا استمرت المشكلة، فيُرجى التواصل معنا وذكر الرقم المرجعي التالي: ${id}`,
  },
};

const parents = { uin: 'الطفل', uin1: 'الوالد أو الوالدة (1)', uin2: 'الوالد أو الوالدة (2)' };
const spouses = { uin1: 'الزوج أو الزوجة (1)', uin2: 'الزوج أو الزوجة (2)' };
const person = { uin: 'الشخص' };
const duplicates = { ...person, duplicates: 'القيود المكررة' };

// In Arabic text, CLDR puts this mark before the sign of a UTC offset, so that the offset reads left to right.
const leftToRight = (zone: string): string => zone.replace(/(?=[+-]\d)/u, '\u200e');

export const mails: typeof en.mails = {
  locale,
  moment: (date, time, zone) =>
    `${date} الساعة ${time} (${zone === 'UTC' ? 'بالتوقيت العالمي المنسق' : `بتوقيت ${leftToRight(zone)}`})`,
  events: {
    liveBirth: { happened: 'تم تسجيل ولادة', labels: { ...parents, uin: 'المولود' } },
    death: { happened: 'تم تسجيل وفاة', labels: { uin: 'الشخص المتوفى' } },
    birthCancellation: { happened: 'تم إلغاء قيد ولادة', labels: person },
    foetalDeath: { happened: 'تم تسجيل وفاة جنين', labels: { uin: 'الجنين' } },
    marriage: { happened: 'تم تسجيل زواج', labels: spouses },
    divorce: { happened: 'تم تسجيل طلاق', labels: spouses },
    annulment: { happened: 'تم تسجيل إبطال زواج', labels: spouses },
    separation: { happened: 'تم تسجيل انفصال قضائي', labels: spouses },
    adoption: { happened: 'تم تسجيل حالة تبنٍّ', labels: parents },
    legitimation: { happened: 'تم تسجيل إثبات نسب', labels: parents },
    recognition: { happened: 'تم تسجيل إقرار ببنوّة طفل', labels: parents },
    changeOfName: { happened: 'تم تسجيل تغيير اسم', labels: person },
    changeOfGender: { happened: 'تم تسجيل تغيير بيان الجنس', labels: person },
    updatePerson: { happened: 'تم تعديل بيانات شخص', labels: person },
    newPerson: { happened: 'تم قيد شخص جديد في السجل', labels: person },
    duplicatePerson: { happened: 'وُجدت قيود مكررة لشخص واحد', labels: duplicates },
  },
  confirm: {
    asked: (topic, organisation = 'السجل المدني', only = '') =>
      `ورد إلى ${organisation} طلب لإرسال إشعارات بشأن ${topic} إلى هذا العنوان.` +
      (only && ` ويقتصر الطلب على الإشعارات التالية: ${only}.`),
    more: inNumber(locale, {
      one: 'نوع آخر من الإشعارات (يظهر في صفحة التأكيد)',
      two: 'نوعان آخران من الإشعارات (يظهران في صفحة التأكيد)',
      few: '# أنواع أخرى من الإشعارات (تظهر في صفحة التأكيد)',
      many: '# نوعًا آخر من الإشعارات (تظهر في صفحة التأكيد)',
      other: '# نوع آخر من الإشعارات (تظهر في صفحة التأكيد)',
    }),
    address: 'إذا لم يعمل الزر، فيُرجى نسخ هذا الرابط إلى المتصفح:',
    otherwise: (days) => `${unknown} تجاهل هذه الرسالة. ${expiry(days)}`,
  },
  status: {
    topic: 'الموضوع',
    failure: 'السبب التقني',
    subscription: 'المرجع التقني',
    failing: {
      heading: (receiver) => `الإشعارات لا تصل إلى ${receiver}`,
      opening: (when) => `لم يصل أي إشعار إلى هذا العنوان منذ ${when}.`,
      next:
        'يُرجى إبلاغ المسؤولين عن هذا العنوان ليبحثوا عن سبب المشكلة. سنواصل محاولة الإرسال، وعند حل المشكلة ' +
        'ستصل الإشعارات المتأخرة خلال دقائق. وإذا استمرت المشكلة فقد نوقف الإرسال.',
    },
    paused: {
      heading: (receiver) => `أوقفنا إرسال الإشعارات إلى ${receiver}`,
      opening: (when) => `أوقفنا إرسال الإشعارات إلى هذا العنوان، إذ لم يصل إليه أي إشعار منذ ${when}.`,
      next:
        'يُرجى إبلاغ المسؤولين عن هذا العنوان بضرورة حل المشكلة. وعليهم بعد ذلك طلب هذه الإشعارات من جديد ' +
        'وتأكيد الطلب الجديد، ثم طلب إرسال الإشعارات التي لم تصل.',
    },
    recovered: {
      heading: (receiver) => `استؤنف وصول الإشعارات إلى ${receiver}`,
      opening: (when) => `استؤنف وصول الإشعارات إلى هذا العنوان بتاريخ ${when}.`,
      next: 'لا يلزم اتخاذ أي إجراء. ستصل الإشعارات المتأخرة خلال دقائق.',
    },
  },
  event: {
    published: (topic, when) => `صدر هذا الإشعار بشأن ${topic} بتاريخ ${when}.`,
    test: 'إشعار تجريبي',
    tested: (topic) => `هذا إشعار تجريبي بشأن ${topic}، ولا يتعلق بأي واقعة حقيقية.`,
    source: 'جهة التبليغ',
    others: 'بيانات أخرى',
    empty: 'لم يُذكر',
    continued: (words) => `${words}… (التتمة في المرفق)`,
    more: inNumber(locale, {
      one: 'يوجد بيان آخر في المرفق فقط.',
      two: 'يوجد بيانان آخران في المرفق فقط.',
      few: 'توجد # بيانات أخرى في المرفق فقط.',
      many: 'يوجد # بيانًا آخر في المرفق فقط.',
      other: 'يوجد # بيان آخر في المرفق فقط.',
    }),
    attached: 'يتضمن المرفق الإشعار كاملًا.',
    hidden: 'لا يمكن عرض هذا الإشعار في نص الرسالة، وهو متاح في المرفق.',
    message: (id) => `الرقم المرجعي: ${id}`,
    subscribed: (topic) => `وصلتك هذه الرسالة بناءً على تأكيد سابق لتلقي إشعارات بشأن ${topic} على هذا العنوان.`,
  },
};
