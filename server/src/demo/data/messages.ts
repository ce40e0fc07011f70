import { DEMO_OPERATOR } from './merchants'

export type NoticeSeed = {
  title: string
  body: string
  type: 'notice.system' | 'notice.maintenance' | 'notice.business'
  state: 'draft' | 'scheduled' | 'sent' | 'withdrawn'
  hoursAgo: number
  /** Codes of merchants, those below included; everybody without. */
  merchants?: readonly string[]
  translations?: Record<string, { title: string; body: string }>
}

export const notices: readonly NoticeSeed[] = [
  {
    title: '周六凌晨系统升级通知',
    body: '平台将于本周六 02:00 至 03:00 升级。\n升级期间机器照常售卖，后台可能有数分钟无法访问，订单会在恢复后自动补传。',
    type: 'notice.maintenance',
    state: 'sent',
    hoursAgo: 50,
    translations: {
      en: {
        title: 'Upgrade on Saturday night',
        body: 'The platform is upgraded on Saturday from 02:00 to 03:00. Machines keep selling; orders arrive later.',
      },
    },
  },
  {
    title: '冬季饮料陈列建议',
    body: '气温下降后热饮与坚果销量上升。建议在下周补货时将第二层两个货道换为热饮，并检查加热层温度设置。',
    type: 'notice.business',
    state: 'sent',
    hoursAgo: 26,
    merchants: [DEMO_OPERATOR],
  },
  {
    title: '药品追溯码填报要求',
    body: '自下月起，处方药与甲类非处方药入库须填写追溯码。未填写的批次将无法上架。',
    type: 'notice.system',
    state: 'sent',
    hoursAgo: 5,
  },
  {
    title: '元旦补货安排',
    body: '元旦期间物流停运两天，请在 12 月 30 日前完成补货计划。',
    type: 'notice.business',
    state: 'scheduled',
    hoursAgo: 2,
    merchants: [DEMO_OPERATOR],
  },
  {
    title: '年度盘点方案（讨论稿）',
    body: '盘点分两批进行，先仓库后机器。请各商户确认负责人。',
    type: 'notice.business',
    state: 'draft',
    hoursAgo: 1,
  },
  {
    title: '短信签名变更',
    body: '短信签名将统一更换，请忽略此前的通知。',
    type: 'notice.system',
    state: 'withdrawn',
    hoursAgo: 96,
    merchants: [DEMO_OPERATOR],
  },
]

type MessageSeed = {
  /** Account of the receiver. */
  user: string
  type: string
  channel: 'web' | 'sms' | 'email'
  receiver: string
  title: string
  body: string
  state: 'sent' | 'held' | 'failed'
  hoursAgo: number
  isSecret?: boolean
  error?: string
}

export const messages: readonly MessageSeed[] = [
  {
    user: 'merchant',
    type: 'alarm.machine',
    channel: 'web',
    receiver: '',
    title: 'HZ-0003：温度异常',
    body: '机器 HZ-0003 于 09:12 报警：温度异常。',
    state: 'sent',
    hoursAgo: 6,
  },
  {
    user: 'merchant',
    type: 'alarm.machine',
    channel: 'sms',
    receiver: '13857120001',
    title: 'HZ-0003：温度异常',
    body: '机器 HZ-0003 于 09:12 报警：温度异常。',
    state: 'held',
    hoursAgo: 6,
  },
  {
    user: 'maintainer',
    type: 'alarm.machine',
    channel: 'web',
    receiver: '',
    title: 'SH-0011：离线',
    body: '机器 SH-0011 于 07:40 报警：离线超过 30 分钟。',
    state: 'sent',
    hoursAgo: 8,
  },
  {
    user: 'maintainer',
    type: 'alarm.machine',
    channel: 'sms',
    receiver: '13857120004',
    title: 'SH-0011：离线',
    body: '机器 SH-0011 于 07:40 报警：离线超过 30 分钟。',
    state: 'held',
    hoursAgo: 8,
  },
  {
    user: 'merchant',
    type: 'licence.expiring',
    channel: 'email',
    receiver: 'shen@merchant.example',
    title: '食品经营许可证即将到期',
    body: '食品经营许可证将于 45 天后到期。请尽快办理续期并上传新证件。',
    state: 'failed',
    hoursAgo: 30,
    error: '550 mailbox unavailable',
  },
  {
    user: 'operator',
    type: 'password.code',
    channel: 'sms',
    receiver: '13857120002',
    title: '验证码',
    body: '您的验证码为 415902，10 分钟内有效。请勿告诉任何人。',
    state: 'held',
    hoursAgo: 3,
    isSecret: true,
  },
  {
    user: 'finance',
    type: 'report.ready',
    channel: 'web',
    receiver: '',
    title: '报表已生成',
    body: '十月订单明细已生成，可在下载中心下载。',
    state: 'sent',
    hoursAgo: 27,
  },
]

type FeedbackSeed = {
  user: string
  hoursAgo: number
  kind: 'problem' | 'suggestion' | 'question'
  body: string
  contact?: string
  page: string
  answeredAfter: number
  asks: boolean
  answer: string | null
  isSolved: boolean
  isEssence: boolean
}
const told = (seed: Partial<FeedbackSeed> & Pick<FeedbackSeed, 'user' | 'hoursAgo' | 'kind' | 'body' | 'page'>) => ({
  answeredAfter: 1,
  asks: false,
  answer: null,
  isSolved: false,
  isEssence: false,
  ...seed,
})

export const feedbacks: readonly FeedbackSeed[] = [
  told({
    user: 'operator',
    hoursAgo: 1,
    kind: 'problem',
    body: '补货单打印时第二页没有表头，现场对不上货道。',
    contact: '13857120002',
    page: '/jxcgl/bhd',
  }),
  told({
    user: 'maintainer',
    hoursAgo: 80,
    kind: 'problem',
    body: '掉货检测的报警关闭后又出现，重复了三次。',
    page: '/shj/jqbj',
  }),
  told({
    user: 'finance',
    hoursAgo: 29,
    kind: 'suggestion',
    body: '订单列表希望能按支付方式汇总金额。',
    page: '/jygl/ddgl',
    asks: true,
    answer: '按天汇总还是按机器汇总更常用？确定后排入下个版本。',
  }),
  told({
    user: 'pharmacist',
    hoursAgo: 75,
    kind: 'question',
    body: '近效期药品下架后还能改回在售吗？',
    contact: 'gu@merchant.example',
    page: '/ypgl/ypqx',
    answeredAfter: 3,
    answer: '可以：在“药品期限”里解除锁定，货道即恢复销售；过期的除外。',
    isSolved: true,
    isEssence: true,
  }),
]
