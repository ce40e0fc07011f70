type AccountSeed = {
  merchant: string
  author: string
  end: 'draft' | 'pending' | 'approved' | 'rejected'
  daysAgo: number
  place: readonly [province: string, city: string]
  branch?: string
  reason?: string
}

const hangzhou = ['浙江省', '杭州市'] as const
const suzhou = ['江苏省', '苏州市'] as const

/** The operator's accountant asks for another account: its administrator, or the platform's, may approve it. */
export const accountStory: readonly AccountSeed[] = [
  { merchant: 'EAST', author: 'merchant', end: 'approved', daysAgo: 55, place: hangzhou, branch: '城北支行' },
  { merchant: 'EAST', author: 'finance', end: 'approved', daysAgo: 40, place: hangzhou },
  { merchant: 'EAST', author: 'finance', end: 'pending', daysAgo: 1, place: hangzhou, branch: '滨江支行' },
  {
    merchant: 'EASTRX',
    author: 'merchant',
    end: 'rejected',
    daysAgo: 35,
    place: suzhou,
    branch: '城东支行',
    reason: '开户许可证扫描件模糊，看不清账号，请重新上传',
  },
  { merchant: 'EASTRX', author: 'merchant', end: 'approved', daysAgo: 30, place: suzhou },
  { merchant: 'EASTSTORE', author: 'merchant', end: 'draft', daysAgo: 2, place: ['上海市', '上海市'] },
]

export const heldByCompany = {
  holderKind: 'company',
  bank: '江南商业银行',
  businessType: '自动售货零售',
  documentKind: 'business_licence',
} as const
