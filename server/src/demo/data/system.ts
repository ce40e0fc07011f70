/** Words that a merchant added for itself. */
export const tags = [
  {
    type: 'merchantTag',
    code: 'ward',
    zh: '病区配套',
    en: 'On wards',
    fr: 'Dans les services',
    ko: '병동 설치',
    sort: 10,
  },
  {
    type: 'merchantTag',
    code: 'campus',
    zh: '校园合作',
    en: 'Campus partner',
    fr: 'Partenaire campus',
    ko: '캠퍼스 제휴',
    sort: 20,
  },
  {
    type: 'refundReason',
    code: 'wrongTaste',
    zh: '口味不符',
    en: 'Wrong flavour',
    fr: 'Mauvais goût',
    ko: '다른 맛',
    sort: 50,
  },
  {
    type: 'stopReason',
    code: 'festival',
    zh: '节假日休息',
    en: 'Public holiday',
    fr: 'Jour férié',
    ko: '공휴일',
    sort: 40,
  },
]

/** The next agreement, while it is still being written: Korean is missing. */
export const draft = {
  zh: {
    title: '自助售货平台服务协议',
    body: [
      '一、本协议适用于使用本平台管理自助售货机的商户及其人员。',
      '二、账号由本人使用，离岗时应当停用。',
      '三、药品销售须持有有效证照，处方药须经药师审核。',
    ],
  },
  en: {
    title: 'Terms of the vending platform',
    body: [
      '1. These terms hold for merchants who run vending machines on this platform, and for their people.',
      '2. An account is used by its own person and is disabled when they leave.',
      '3. Medicines are sold with valid licences only; prescriptions are reviewed by a pharmacist.',
    ],
  },
  fr: {
    title: 'Conditions de la plateforme',
    body: [
      '1. Ces conditions valent pour les commerçants qui exploitent des machines ici et pour leurs équipes.',
      '2. Un compte est personnel et désactivé au départ.',
      '3. Les médicaments exigent des licences valides ; un pharmacien vérifie les ordonnances.',
    ],
  },
}
