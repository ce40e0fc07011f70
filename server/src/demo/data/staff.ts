export type UnitSeed = {
  merchant: string
  /** The name of the unit above, in the same merchant. */
  parent: string | null
  name: string
  kind: 'department' | 'team' | 'operator'
  isStopped?: boolean
  /** The demo accounts that are in it. */
  accounts?: readonly string[]
  /** How many others, and with which role of the merchant or of the platform's templates. */
  staff?: number
  role?: string
}

const east = (parent: string | null, name: string, more: Partial<UnitSeed> = {}): UnitSeed => ({
  merchant: 'EAST',
  parent,
  name,
  kind: parent === null ? 'department' : 'team',
  ...more,
})

/** Parents before their children. */
export const units: readonly UnitSeed[] = [
  east(null, '总经办', { accounts: ['merchant'], staff: 2, role: '商户管理员' }),
  east(null, '运营部'),
  east('运营部', '杭州运营组', { accounts: ['operator'], staff: 5, role: '运营专员' }),
  east('运营部', '上海运营组', { staff: 5, role: '运营专员' }),
  east('运营部', '苏南运营组', { staff: 4, role: '运营专员' }),
  east('运营部', '无锡试点组', { isStopped: true, staff: 1, role: '运营专员' }),
  east(null, '维保部'),
  east('维保部', '华东维修班', { accounts: ['maintainer'], staff: 4, role: '维修工程师' }),
  east(null, '药事服务部', { accounts: ['pharmacist', 'doctor'] }),
  east(null, '财务部', { accounts: ['finance'], staff: 2, role: '财务' }),
  east(null, '客服中心', { staff: 3, role: '客服（模板）' }),
  east(null, '合作运营方'),
  east('合作运营方', '宁波捷达运营服务部', { kind: 'operator', staff: 2, role: '运营专员' }),
  east('合作运营方', '南京快柜服务部', { kind: 'operator', staff: 2, role: '运营专员' }),
  east('合作运营方', '上海申捷自助服务部', { kind: 'operator' }),
  east('合作运营方', '杭州橙柜运营服务部', { kind: 'operator' }),
  ...['SOUTH', 'NORTH', 'WEST'].flatMap((merchant): UnitSeed[] => [
    { merchant, parent: null, name: '运营部', kind: 'department', staff: 3, role: '运营（模板）' },
    { merchant, parent: null, name: '财务部', kind: 'department', staff: 1, role: '财务（模板）' },
  ]),
]

type Profession = 'doctor' | 'pharmacist'
type Practitioner = {
  merchant: string
  account: string
  profession: Profession
  department: string
  daysLeft: number | null | undefined
}

const own = (
  account: string,
  profession: Profession,
  department: string,
  daysLeft: number | null | undefined,
): Practitioner => ({ merchant: 'EAST', account, profession, department, daysLeft })

/** Doctors and pharmacists: what is left of their licences, in days; null never ends, undefined has none. */
export const practitioners: readonly Practitioner[] = [
  own('dr101', 'doctor', '内科', 412),
  own('dr102', 'doctor', '儿科', 38),
  own('dr103', 'doctor', '皮肤科', null),
  own('dr104', 'doctor', '急诊科', -6),
  own('dr105', 'doctor', '眼科', undefined),
  own('ph106', 'pharmacist', '药剂科', 803),
  own('ph107', 'pharmacist', '药剂科', 12),
  own('ph108', 'pharmacist', '', 230),
  ...['SOUTH', 'NORTH', 'WEST'].flatMap((merchant): Practitioner[] => [
    { merchant, account: `${merchant.toLowerCase()}dr1`, profession: 'doctor', department: '内科', daysLeft: 700 },
    { merchant, account: `${merchant.toLowerCase()}dr2`, profession: 'doctor', department: '全科', daysLeft: 520 },
    {
      merchant,
      account: `${merchant.toLowerCase()}ph3`,
      profession: 'pharmacist',
      department: '药剂科',
      daysLeft: 610,
    },
  ]),
]

/** Those among the accounts of the demo. */
export const ownPractitioners = [
  { account: 'doctor', holder: '程亦安', profession: 'doctor', department: '内科', daysLeft: null },
  { account: 'pharmacist', holder: '顾清如', profession: 'pharmacist', department: '药剂科', daysLeft: 640 },
] as const
