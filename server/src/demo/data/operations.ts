import { DEMO_OPERATOR, PLATFORM } from './merchants'
import type { DemoMachine } from '../network/network'

export const weekdaysOf = [
  ['mon', 'wed', 'fri', 'sun'],
  ['tue', 'thu', 'sat'],
  ['mon', 'tue', 'wed', 'thu', 'fri'],
] as const

type GroupSeed = { name: string; remark: string; has: (machine: DemoMachine) => boolean; assortment?: string }

export const groups: readonly GroupSeed[] = [
  { name: '医院药品柜', remark: '售药机，价格与促销需药师确认', has: ({ category }) => category === 'medicine' },
  {
    name: '写字楼与园区',
    remark: '工作日售卖为主，周末可缩短补货',
    has: ({ point }) => point.kind === 'office' || point.kind === 'campus',
    assortment: '办公与校园标准选品',
  },
  {
    name: '近三个月新投放',
    remark: '观察期：每周复盘选品与销量',
    has: ({ deployedDaysAgo }) => deployedDaysAgo < 90,
  },
]

const messages = { paidTemplate: 'OPENTM410', shippedTemplate: 'OPENTM411', refundedTemplate: 'OPENTM412' }
/** Opens nothing: these accounts are invented. */
const secret = 'demo-secret-of-nobody'

export const accounts = [
  {
    platform: 'wechat_account',
    name: '云柜生活',
    appId: 'wx5d0c1a9e7b3f2468',
    link: 'https://m.aisle.example/w/{code}',
    mustFollow: true,
    secret,
    ...messages,
  },
  {
    platform: 'wechat_mini',
    name: '云柜随手购',
    appId: 'wx81f2b6c4d0e93a57',
    link: 'https://m.aisle.example/w/{code}',
    secret,
    ...messages,
  },
  {
    platform: 'alipay_mini',
    name: '云柜支付宝小程序',
    appId: '2021003112345678',
    link: 'https://m.aisle.example/a/{code}',
    ...messages,
  },
] as const

/** Each is made of a machine of its kind, so that it looks as machines do. */
export const templates = [
  { merchant: PLATFORM, category: 'drink', name: '标准饮料机', remark: '全国通用的饮料组合' },
  { merchant: PLATFORM, category: 'snack', name: '标准零食机', remark: '全国通用的零食组合' },
  { merchant: DEMO_OPERATOR, category: 'drink', name: '江南饮料机', remark: '含本地饮品，夏季主推' },
  { merchant: DEMO_OPERATOR, category: 'combo', name: '江南综合机', remark: '写字楼与医院大厅' },
] as const
