/** The kinds of the roles that the demo's accounts hold, by their names. */
export const roleTypes = [
  { name: '平台管理员', type: 'management' },
  { name: '商户管理员', type: 'management' },
  { name: '运营专员', type: 'operation' },
  { name: '维修工程师', type: 'maintenance' },
  { name: '药师', type: 'pharmacy' },
  { name: '医生', type: 'medical' },
  { name: '财务', type: 'finance' },
  { name: '平台副管理员', type: 'management' },
  { name: '平台财务', type: 'finance' },
]

/** The platform's: every merchant may give and copy them. */
export const templates = [
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
    grants: ['order.read', 'order.settle', 'refund.*', 'settlement.read', 'withdrawal.read', 'report.read'],
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

export const spareRoles = [
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
    grants: ['machine.read', 'slot.write', 'replenishment.write'],
    holders: ['operator', 'maintainer'],
  },
]
