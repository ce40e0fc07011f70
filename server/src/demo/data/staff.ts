type UnitSeed = {
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

/** Doctors and pharmacists: what is left of their licences, in days; null never ends, undefined has none. */
export const practitioners: readonly {
  profession: 'doctor' | 'pharmacist'
  department: string
  daysLeft: number | null | undefined
}[] = [
  { profession: 'doctor', department: '内科', daysLeft: 412 },
  { profession: 'doctor', department: '儿科', daysLeft: 38 },
  { profession: 'doctor', department: '皮肤科', daysLeft: null },
  { profession: 'doctor', department: '急诊科', daysLeft: -6 },
  { profession: 'doctor', department: '眼科', daysLeft: undefined },
  { profession: 'pharmacist', department: '药剂科', daysLeft: 803 },
  { profession: 'pharmacist', department: '药剂科', daysLeft: 12 },
  { profession: 'pharmacist', department: '', daysLeft: 230 },
]
