import type { Shelf } from './catalog.types'
import type { PointKind } from './cities'
import type { Trade } from './merchants'

export type SeatSeed = { category: 'drink' | 'snack' | 'combo' | 'medicine'; trade: Trade }

const goods = (category: SeatSeed['category']): SeatSeed => ({ category, trade: 'operator' })
const shop = (category: SeatSeed['category']): SeatSeed => ({ category, trade: 'store' })
const medicine: SeatSeed = { category: 'medicine', trade: 'pharmacy' }

/** Machines of a place in the order in which they were put up; a large network begins the row again. */
export const seats: Record<PointKind, readonly SeatSeed[]> = {
  hospital: [goods('combo'), medicine, goods('drink'), medicine, goods('snack')],
  store: [shop('drink'), medicine, shop('combo')],
  campus: [goods('drink'), goods('snack'), goods('combo')],
  station: [goods('drink'), goods('combo'), medicine],
  office: [goods('combo'), goods('drink'), goods('snack')],
}

/** Where in a hospital its machines stand. */
export const wards = [
  { spot: '门诊大厅1F', building: '门诊楼', floor: '1F' },
  { spot: '急诊1F', building: '急诊楼', floor: '1F' },
  { spot: '住院部2F', building: '住院部', floor: '2F' },
  { spot: '门诊药房旁', building: '门诊楼', floor: '1F' },
  { spot: '体检中心3F', building: '医技楼', floor: '3F' },
  { spot: '儿科候诊区', building: '门诊楼', floor: '2F' },
  { spot: '影像楼B1', building: '医技楼', floor: 'B1' },
  { spot: '停车楼入口', building: '停车楼', floor: '1F' },
] as const

const within = (building: string, names: readonly string[]) => names.map((name) => ({ building, name }))

/** Of hospitals: most have most of them. */
export const departments = [
  ...within('门诊楼', ['内科', '外科', '儿科', '妇产科', '眼科', '口腔科', '皮肤科']),
  ...within('急诊楼', ['急诊科', '输液室']),
  ...within('住院部', ['心内科', '呼吸科', '骨科', '神经内科']),
  ...within('医技楼', ['影像科', '检验科', '体检中心']),
]

export const spots: Record<PointKind, readonly string[]> = {
  hospital: wards.map(({ spot }) => spot),
  store: ['店门口', '店内收银台旁', '店外步廊', '后巷'],
  campus: ['图书馆1F', '第一食堂', '教学楼A座', '宿舍3号楼', '体育馆', '实验楼B座'],
  station: ['候车厅2F', '进站口', '出站通道', '换乘厅', '东广场', '西广场'],
  office: ['A座大堂', 'B座B1', '12F茶水间', 'C座连廊', '食堂入口', '7F休息区'],
}

type Model = { model: string; manufacturer: string; layers: number; positions: number; capacity: number }

/** Invented makers. Capacity is that of a middling slot; wide goods take fewer. */
export const models: Record<SeatSeed['category'], readonly Model[]> = {
  drink: [
    { model: 'YD-860C', manufacturer: '云栈智能装备有限公司', layers: 6, positions: 10, capacity: 8 },
    { model: 'YD-720C', manufacturer: '云栈智能装备有限公司', layers: 6, positions: 9, capacity: 7 },
  ],
  snack: [
    { model: 'KX-60S', manufacturer: '开匣机电有限公司', layers: 6, positions: 10, capacity: 8 },
    { model: 'KX-54S', manufacturer: '开匣机电有限公司', layers: 6, positions: 9, capacity: 7 },
  ],
  combo: [
    { model: 'YD-900Z', manufacturer: '云栈智能装备有限公司', layers: 6, positions: 10, capacity: 7 },
    { model: 'KX-58Z', manufacturer: '开匣机电有限公司', layers: 6, positions: 9, capacity: 7 },
  ],
  medicine: [
    { model: 'YX-480M', manufacturer: '仁柜医疗设备有限公司', layers: 6, positions: 8, capacity: 6 },
    { model: 'YX-540M', manufacturer: '仁柜医疗设备有限公司', layers: 6, positions: 9, capacity: 6 },
  ],
}

/** Where in a place machines stand. */
export const rooms: Record<PointKind, readonly string[]> = {
  hospital: ['门诊楼', '住院部', '急诊楼'],
  store: [''],
  campus: ['第一食堂', '图书馆', '学生活动中心'],
  station: ['候车大厅', '出站层'],
  office: ['A 座', 'B 座', 'C 座'],
}

/** Shares of a machine's slots, from the top layer down. */
export const shelvesOf: Record<SeatSeed['category'], readonly (readonly [Shelf, number])[]> = {
  drink: [['drink', 1]],
  snack: [
    ['snack', 0.72],
    ['daily', 0.12],
    ['drink', 0.16],
  ],
  combo: [
    ['snack', 0.38],
    ['care', 0.1],
    ['daily', 0.1],
    ['drink', 0.42],
  ],
  medicine: [
    ['medicine', 0.74],
    ['care', 0.26],
  ],
}
/** Shapes of which fewer fit into a slot. */
export const bulky: ReadonlySet<string> = new Set(['bowl', 'bag', 'umbrella', 'box', 'tissue'])

/** From when it was made. */
export const keepsDays: Record<Shelf, number> = { drink: 360, snack: 270, daily: 1080, care: 1080, medicine: 730 }
