import type { BankAccountState } from '@aisle/contract/merchant/bankAccount'
import { sql } from 'kysely'
import { sealNumbers, tailOf } from '../../features/merchant/bankAccount.numbers'
import type { AuthKeys, Tx } from '../../kernel/context'
import { DAY_MS } from '../calendar'
import { merchants } from '../data/merchants'
import { idOf, type Ids } from '../people/people'
import { randomFrom, seedOf } from '../random'

type AccountSeed = {
  merchant: string
  state: BankAccountState
  author: string
  reviewer?: string
  daysAgo: number
  branch?: string
  reason?: string
}

/** The operator's accountant asks for another account: its administrator, or the platform's, may approve it. */
const story: readonly AccountSeed[] = [
  { merchant: 'EAST', state: 'replaced', author: 'merchant', reviewer: 'admin', daysAgo: 620, branch: '城北支行' },
  { merchant: 'EAST', state: 'approved', author: 'finance', reviewer: 'admin', daysAgo: 210 },
  { merchant: 'EAST', state: 'pending', author: 'finance', daysAgo: 1, branch: '滨江支行' },
  {
    merchant: 'EASTRX',
    state: 'rejected',
    author: 'merchant',
    reviewer: 'admin',
    daysAgo: 95,
    branch: '城东支行',
    reason: '开户许可证扫描件模糊，看不清账号，请重新上传',
  },
  { merchant: 'EASTRX', state: 'approved', author: 'merchant', reviewer: 'admin', daysAgo: 90 },
  { merchant: 'EASTSTORE', state: 'draft', author: 'merchant', daysAgo: 2 },
]

const cities: Record<string, readonly [province: string, city: string]> = {
  EAST: ['浙江省', '杭州市'],
  EASTRX: ['江苏省', '苏州市'],
  EASTSTORE: ['上海市', '上海市'],
}

export async function seedBankAccounts(
  tx: Tx,
  keys: AuthKeys,
  ids: { merchants: Ids; users: Ids },
  now: Date,
): Promise<void> {
  for (const seed of story) {
    const { account, document, ...row } = planned(seed, ids, now)
    const names = Object.keys(row)
    const made = await sql<{ id: number }>`
      insert into bank_account (${sql.join(names.map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(row))}) returning id`.execute(tx)
    for (const { id } of made.rows) {
      const sealed = sealNumbers(keys, id, { accountNumber: account, documentNumber: document })
      await sql`update bank_account set sealed = ${sealed} where id = ${id}`.execute(tx)
    }
  }
}

function planned(seed: AccountSeed, ids: { merchants: Ids; users: Ids }, now: Date) {
  const { merchant, state, author, reviewer, daysAgo, branch = '高新支行', reason = null } = seed
  const random = randomFrom(seedOf(`${merchant}/${branch}/account`))
  const name = merchants.find(({ code }) => code === merchant)?.name ?? merchant
  const [province, city] = cities[merchant] ?? ['浙江省', '杭州市']
  const at = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const account = `12${random.between(100_000_000, 999_999_999)}${random.between(1000, 9999)}`
  const document = `91330${random.between(100_000_000, 999_999_999)}MA2X`
  const authorId = idOf(ids.users, author)
  const isAsked = state !== 'draft'
  return {
    account,
    document,
    merchant_id: idOf(ids.merchants, merchant),
    state,
    holder_kind: 'company',
    holder: name,
    bank: '江南商业银行',
    bank_city: city,
    branch,
    bank_full_name: `江南商业银行股份有限公司${city}${branch}`,
    short_name: name.slice(0, 6),
    store_name: `${name.slice(0, 6)}自助售货`,
    province,
    city,
    street: `科创大道 ${random.between(10, 980)} 号`,
    business_type: '自动售货零售',
    contact: author === 'finance' ? '苏敏' : '沈嘉禾',
    contact_phone: `0571-8${random.between(1_000_000, 9_999_999)}`,
    document_kind: 'business_licence',
    account_tail: tailOf(account),
    document_tail: tailOf(document),
    authors: sql`array[${authorId}::bigint]`,
    created_at: at(daysAgo + 0.1),
    requested_by: isAsked ? authorId : null,
    requested_at: isAsked ? at(daysAgo) : null,
    reviewed_by: reviewer === undefined ? null : idOf(ids.users, reviewer),
    reviewed_at: reviewer === undefined ? null : at(daysAgo - 0.4),
    reason,
    ended_at: state === 'replaced' ? at(209.6) : state === 'rejected' ? at(daysAgo - 0.4) : null,
  }
}
