import type { roleTypes } from '@aisle/contract/rights/role'

type RoleType = (typeof roleTypes)[number]
type RoleLine = {
  name: string
  description: string
  type: RoleType
  surface?: 'web' | 'app'
  grants: readonly string[]
}

/** The kinds of the roles that the demo's accounts hold, by their names. */
export const typesOfRoles: Record<string, RoleType> = {
  平台管理员: 'management',
  商户管理员: 'management',
  运营专员: 'operation',
  维修工程师: 'maintenance',
  药师: 'pharmacy',
  医生: 'medical',
  财务: 'finance',
  平台副管理员: 'management',
  平台财务: 'finance',
}

/** The platform's: every merchant may give and copy them. */
export const templates: readonly RoleLine[] = [
  {
    name: '运营（模板）',
    description: '机器、补货与订单的日常工作',
    type: 'operation',
    grants: ['machine.read', 'machine.operate', 'point.read', 'replenishment.*', 'order.read', 'alarm.read'],
  },
  {
    name: '财务（模板）',
    description: '退款、结算与对账',
    type: 'finance',
    grants: [
      'order.read',
      'order.settle',
      'refund.*',
      'settlement.read',
      'settlement.confirm',
      'withdrawal.read',
      'report.read',
    ],
  },
  {
    name: '客服（模板）',
    description: '回答反馈，查询订单与会员',
    type: 'service',
    grants: ['feedback.*', 'faq.read', 'solution.read', 'order.read', 'member.read'],
  },
  {
    name: '医生（模板）',
    description: '开具与查询处方',
    type: 'medical',
    grants: ['prescription.read', 'prescription.write', 'prescription.cancel', 'medicine.read', 'machine.read'],
  },
  {
    name: '药师（模板）',
    description: '审核处方',
    type: 'pharmacy',
    grants: ['prescription.read', 'prescription.review', 'prescription.reveal', 'machine.release', 'order.read'],
  },
]

export const spareRoles: readonly (RoleLine & { holders: readonly string[] })[] = [
  {
    name: '值班经理',
    description: '夜班与节假日临时负责，可看经营数据',
    type: 'management',
    surface: 'web',
    grants: ['machine.read', 'alarm.*', 'order.read', 'report.read', 'feedback.read', 'role.read'],
    holders: ['operator'],
  },
  {
    name: '备件采购',
    description: '为维修订购备件',
    type: 'maintenance',
    surface: 'web',
    grants: ['ext.parts', 'supplier.read', 'purchaseOrder.read'],
    holders: ['maintainer'],
  },
  {
    name: '补货员（App）',
    description: '手机上扫码补货',
    type: 'operation',
    surface: 'app',
    grants: ['visit.*', 'machine.read', 'slot.write', 'stockCount.read', 'stockCount.write'],
    holders: ['operator', 'maintainer'],
  },
]

/** What other systems offer to who has a role that names them. */
export const otherSystems = [
  {
    code: 'ext.parts',
    titles: { zh: '备件商城', en: 'Spare parts shop', fr: 'Boutique de pièces', ko: '부품 상점' },
    url: 'https://parts.example/',
    description: '维修工程师在这里订备件',
    menuGroup: 'shj',
  },
  {
    code: 'ext.weather',
    titles: { zh: '门店天气', en: 'Weather at the sites', fr: 'Météo des sites', ko: '지점 날씨' },
    url: 'https://weather.example/',
    description: '',
    menuGroup: null,
  },
] as const
