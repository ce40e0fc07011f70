import type { Grant, UserKind } from '@aisle/contract/identity/permissions'
import type { DemoMachine } from '../network/network'
import { DEMO_OPERATOR, PLATFORM } from './merchants'

/** What only the platform's own people may touch; a merchant's administrator may do the rest within the subtree. */
export const platformNouns: ReadonlySet<string> = new Set([
  'resource',
  'menu',
  'languageEntry',
  'agreement',
  'messageType',
  'pushProvider',
  'paymentService',
  'integrationConfig',
  'systemAlarm',
  'wallboard',
])

export type RoleSeed = {
  name: string
  description: string
  /** `everything`: all nouns that are known but the platform's. */
  grants: readonly Grant[] | 'everything'
}

export type UserSeed = {
  account: string
  displayName: string
  kind: UserKind
  merchant: string
  role: RoleSeed
  /** The machines that are authorised to the user; administrators see theirs without. */
  sees: (machine: DemoMachine) => boolean
}

const isEast = (machine: DemoMachine) => machine.point.region === 'east'
const homeCities = new Set(['杭州市', '上海市', '苏州市', '宁波市', '南京市'])

/** The accounts of a demo (README, accounts): one for each kind of work. */
export const users: readonly UserSeed[] = [
  {
    account: 'admin',
    displayName: '平台管理员',
    kind: 'platform_admin',
    merchant: PLATFORM,
    role: { name: '平台管理员', description: '平台的全部权限', grants: ['*'] },
    sees: () => false,
  },
  {
    account: 'merchant',
    displayName: '沈嘉禾',
    kind: 'merchant_admin',
    merchant: DEMO_OPERATOR,
    role: { name: '商户管理员', description: '本商户及下级商户的全部业务', grants: 'everything' },
    sees: () => false,
  },
  {
    account: 'operator',
    displayName: '周小满',
    kind: 'ordinary',
    merchant: DEMO_OPERATOR,
    role: {
      name: '运营专员',
      description: '机器、货道、补货与订单',
      grants: [
        'machine.read',
        'machine.operate',
        'machine.write',
        'machineGroup.*',
        'point.*',
        'route.*',
        'hospital.read',
        'template.*',
        'slot.*',
        'alarm.read',
        'alarm.handle',
        'flowCard.read',
        'replenishment.*',
        'replenishmentOrder.*',
        'visit.*',
        'cashCollection.read',
        'cashCollection.write',
        'warehouse.read',
        'outboundOrder.*',
        'writeOff.*',
        'product.read',
        'category.read',
        'order.read',
        'lotteryRecord.read',
        'lotteryRecord.claim',
        'order.settle',
        'refund.read',
        'refund.apply',
        'pickupCode.*',
        'shipResult.read',
        'shipResult.callback',
        'command.read',
        'command.operate',
        'feedback.*',
        'faq.read',
        'report.read',
      ],
    },
    sees: (machine) => isEast(machine) && machine.category !== 'medicine' && homeCities.has(machine.point.city),
  },
  {
    account: 'maintainer',
    displayName: '韩铁林',
    kind: 'ordinary',
    merchant: DEMO_OPERATOR,
    role: {
      name: '维修工程师',
      description: '机器状态、报警与维修',
      grants: [
        'machine.read',
        'machine.operate',
        'repairOrder.*',
        'alarm.*',
        'alarmLog.read',
        'pushMessage.read',
        'flowCard.read',
        'slot.write',
        'shipResult.read',
        'command.read',
        'solution.read',
        'point.read',
      ],
    },
    sees: isEast,
  },
  {
    account: 'pharmacist',
    displayName: '顾清如',
    kind: 'ordinary',
    merchant: DEMO_OPERATOR,
    role: {
      name: '药师',
      description: '审方、药品、批次与养护',
      grants: [
        'prescription.read',
        'prescription.review',
        'prescription.reveal',
        'prescription.cancel',
        'medicine.*',
        'batch.*',
        'recall.read',
        'recall.pull',
        'careRecord.*',
        'discount.*',
        'writeOff.*',
        'repairOrder.read',
        'repairOrder.write',
        'combination.*',
        'category.*',
        'product.read',
        'machine.read',
        'machine.release',
        'machine.sign',
        'order.read',
        'licence.read',
      ],
    },
    sees: (machine) => isEast(machine) && machine.category === 'medicine',
  },
  {
    account: 'doctor',
    displayName: '程亦安',
    kind: 'doctor',
    merchant: DEMO_OPERATOR,
    role: {
      name: '医生',
      description: '开具与查询处方',
      grants: [
        'prescription.read',
        'prescription.write',
        'prescription.cancel',
        'medicine.read',
        'category.read',
        'machine.read',
      ],
    },
    sees: (machine) => isEast(machine) && machine.licenceMode === 'hospital',
  },
  {
    account: 'finance',
    displayName: '苏敏',
    kind: 'ordinary',
    merchant: DEMO_OPERATOR,
    role: {
      name: '财务',
      description: '订单、退款、结算与提现',
      grants: [
        'order.read',
        'refund.*',
        'order.settle',
        'lotteryRecord.read',
        'lotteryRecord.review',
        'settlement.*',
        'withdrawal.*',
        'cashCollection.*',
        'paymentAccount.read',
        'paymentAccount.write',
        'bankAccount.read',
        'bankAccount.write',
        'licence.read',
        'splitRecord.*',
        'splitRule.*',
        'merchant.read',
        'cardTransaction.read',
        'supplierPayment.*',
        'machine.read',
        'report.read',
      ],
    },
    sees: isEast,
  },
  // Days of the channels are closed by two people, and not everything of a platform is one person's work.
  {
    account: 'deputy',
    displayName: '叶知秋',
    kind: 'platform_admin',
    merchant: PLATFORM,
    role: { name: '平台副管理员', description: '平台的全部权限，复核第一人的决定', grants: ['*'] },
    sees: () => false,
  },
  {
    account: 'treasurer',
    displayName: '陆文筠',
    kind: 'ordinary',
    merchant: PLATFORM,
    role: {
      name: '平台财务',
      description: '渠道对账、结算、退款与无主款',
      grants: [
        'batch.read',
        'recall.read',
        'recall.close',
        'order.read',
        'refund.*',
        'order.settle',
        'settlement.*',
        'withdrawal.*',
        'paymentAccount.read',
        'bankAccount.read',
        'splitRecord.*',
        'splitRule.*',
        'merchant.read',
        'cardTransaction.read',
        'machine.read',
        'report.read',
      ],
    },
    sees: () => true,
  },
]
