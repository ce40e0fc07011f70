import type { LimitGroup } from '@aisle/contract/medicine/medicine'

/** What is known of the medicines of the demo: a catalogue's facts, not a reference. */
export const medicineFacts: readonly {
  name: string
  ingredients: readonly string[]
  doseUnit: string
  maxDaily?: number
  maxDays?: number
  minAge?: number
  notFor?: readonly ('pregnant' | 'lactating' | 'liver' | 'kidney')[]
  /** Counted by person, whose document is checked. */
  limitGroup?: LimitGroup
}[] = [
  { name: '苯磺酸氨氯地平片', ingredients: ['amlodipine'], doseUnit: '片', maxDaily: 2, maxDays: 84, minAge: 18 },
  {
    name: '盐酸二甲双胍缓释片',
    ingredients: ['metformin'],
    doseUnit: '片',
    maxDaily: 4,
    maxDays: 84,
    minAge: 18,
    notFor: ['kidney', 'liver'],
  },
  {
    name: '阿托伐他汀钙片',
    ingredients: ['atorvastatin'],
    doseUnit: '片',
    maxDaily: 4,
    maxDays: 84,
    minAge: 18,
    notFor: ['pregnant', 'lactating', 'liver'],
  },
  { name: '阿莫西林胶囊', ingredients: ['amoxicillin'], doseUnit: '粒', maxDaily: 16, maxDays: 10 },
  { name: '奥美拉唑肠溶胶囊', ingredients: ['omeprazole'], doseUnit: '粒', maxDaily: 2, maxDays: 28, minAge: 12 },
  {
    name: '布洛芬缓释胶囊',
    ingredients: ['ibuprofen'],
    doseUnit: '粒',
    maxDaily: 4,
    minAge: 12,
    notFor: ['pregnant', 'kidney'],
  },
  { name: '对乙酰氨基酚片', ingredients: ['paracetamol'], doseUnit: '片', maxDaily: 4, notFor: ['liver'] },
  { name: '复方氨酚烷胺胶囊', ingredients: ['paracetamol', 'amantadine'], doseUnit: '粒', maxDaily: 2, minAge: 6 },
  {
    name: '复方盐酸伪麻黄碱缓释胶囊',
    ingredients: ['pseudoephedrine', 'chlorphenamine'],
    doseUnit: '粒',
    maxDaily: 2,
    maxDays: 5,
    minAge: 18,
    limitGroup: 'ephedrine',
  },
]

export const ingredientPairs: readonly (readonly [string, string])[] = [
  ['amlodipine', 'atorvastatin'],
  ['ibuprofen', 'metformin'],
]

/** What each medicine is prescribed for, and how. */
export const treatments: readonly {
  name: string
  conditions: readonly string[]
  dose: number
  timesADay: number
  days: number
  usage: string
  advice: string
}[] = [
  {
    name: '苯磺酸氨氯地平片',
    conditions: ['原发性高血压 1 级', '高血压病，血压控制稳定'],
    dose: 1,
    timesADay: 1,
    days: 14,
    usage: '口服，清晨服用',
    advice: '每日测量血压并记录；如踝部水肿明显请复诊。',
  },
  {
    name: '盐酸二甲双胍缓释片',
    conditions: ['2 型糖尿病', '2 型糖尿病，空腹血糖偏高'],
    dose: 1,
    timesADay: 2,
    days: 14,
    usage: '口服，随餐服用',
    advice: '控制饮食，监测空腹及餐后血糖。',
  },
  {
    name: '阿托伐他汀钙片',
    conditions: ['高胆固醇血症', '混合型高脂血症'],
    dose: 1,
    timesADay: 1,
    days: 7,
    usage: '口服，睡前服用',
    advice: '低脂饮食；如有肌肉疼痛立即停药就诊。',
  },
  {
    name: '阿莫西林胶囊',
    conditions: ['急性咽炎', '急性扁桃体炎', '牙龈炎'],
    dose: 2,
    timesADay: 3,
    days: 4,
    usage: '口服，饭后服用',
    advice: '青霉素过敏者禁用；足疗程服用。',
  },
  {
    name: '奥美拉唑肠溶胶囊',
    conditions: ['胃食管反流', '慢性胃炎'],
    dose: 1,
    timesADay: 1,
    days: 14,
    usage: '口服，早餐前整粒吞服',
    advice: '忌辛辣、浓茶和咖啡。',
  },
]

/** Reasons with which pharmacists of the demo send prescriptions back. */
export const rejections: readonly string[] = [
  '患者肾功能不全，请换用其他降糖药',
  '数量超过 7 日用量，请说明理由或减量',
  '诊断与用药不符，请核对',
  '用法用量书写不清，请补充',
]

/** What became of how many, and how many minutes ago they were written: least and most. */
export const plans: readonly PlanSeed[] = [
  { end: 'waits', count: 8, ago: [3, 190] },
  { end: 'approved', count: 5, ago: [60, 2_600] },
  { end: 'approved', count: 3, ago: [2_000, 20_000], uses: 6, intervalDays: 14 },
  { end: 'rejected', count: 3, ago: [90, 3_000] },
  { end: 'draft', count: 2, ago: [10, 6_000] },
  { end: 'cancelled', count: 2, ago: [1_000, 4_000] },
  // Nobody fetches these: their days are over.
  { end: 'approved', count: 3, ago: [6_000, 60_000] },
]
export type PlanSeed = {
  end: 'waits' | 'approved' | 'rejected' | 'draft' | 'cancelled'
  count: number
  ago: readonly [number, number]
  uses?: number
  intervalDays?: number
}

/** What patients suffer from, with the medicines for it. */
export const conditions = [
  { name: '感冒发热', below: ['发烧头痛', '咳嗽有痰'], medicines: ['RA001', 'RB001', 'RC001', 'RC002', 'RD001'] },
  { name: '肠胃不适', below: [], medicines: [] },
  { name: '日常保健', below: [], medicines: ['RB002', 'RB003', 'RA003'] },
]

/** What is sold together. */
export const sets = [
  { name: '感冒常备', category: '家庭药箱', codes: ['RC001', 'RB002'], priceFen: 2280, note: '多饮水，注意休息' },
  { name: '肠胃旅行', category: '旅行常备', codes: ['RG001', 'RG002'], priceFen: 3280, note: '腹泻时先补液' },
  { name: '退热止咳', category: '家庭药箱', codes: ['RA001', 'RD001'], priceFen: 3780, note: '退热药间隔 6 小时以上' },
]
