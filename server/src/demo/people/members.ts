import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { DAY_MS } from '../calendar'
import { merchants } from '../data/merchants'
import { givenNames, surnames } from '../data/names'
import type { DemoMachine } from '../network/network'
import { idOf, type Ids } from './people'
import { randomFrom, seedOf } from '../random'

const MEMBERS = 300

/** Members where machines stand; most are tied to whom they registered with, some to two merchants, some to none. */
export async function seedMembers(
  tx: Tx,
  machines: readonly DemoMachine[],
  ids: { merchants: Ids; users: Ids },
  now: Date,
): Promise<void> {
  const members = Array.from({ length: MEMBERS }, (_, index) => planMember(index, machines, ids.merchants, now))
  await sql`insert into member
      (number, name, phone, address, parent_name, region, state, merchant_id, registered_at)
    select * from ${rows('m', members, {
      number: 'text',
      name: 'text',
      phone: 'text',
      address: 'text',
      parentName: 'text',
      region: 'text',
      state: 'text',
      merchantId: 'bigint',
      registeredAt: 'timestamptz',
    })}`.execute(tx)
  const ties = members.flatMap((member) =>
    member.tiedTo.map((merchantId, index) => ({ ...member, merchantId, hasEnded: member.hasLeft && index === 0 })),
  )
  await sql`insert into member_merchant (member_id, merchant_id, linked_at, unlinked_at, unlinked_by, moved_to, reason)
    select member.id, t.merchant_id, t.registered_at,
      case when t.has_ended then ${now}::timestamptz - interval '20 days' end,
      case when t.has_ended then ${idOf(ids.users, 'merchant')}::bigint end, null,
      case when t.has_ended then '门店撤机，会员转出' else '' end
    from ${rows('t', ties, {
      number: 'text',
      merchantId: 'bigint',
      registeredAt: 'timestamptz',
      hasEnded: 'boolean',
    })} join member on member.number = t.number`.execute(tx)
}

function planMember(index: number, machines: readonly DemoMachine[], merchantIds: Ids, now: Date) {
  const random = randomFrom(seedOf(`member/${index}`))
  const { point } = random.pick(machines)
  const isPupil = point.kind === 'campus' && random.chance(0.7)
  const surname = random.pick(surnames)
  const own = idOf(merchantIds, point.merchant)
  const sisters = merchants.filter(({ parent }) => parent === point.merchant).map(({ code }) => idOf(merchantIds, code))
  const isNobodys = random.chance(0.06)
  const hasLeft = !isNobodys && random.chance(0.05)
  const isOfTwo = sisters.length > 0 && random.chance(0.2)
  return {
    number: `HY${String(260_001 + index * 7)}`,
    name: surname + random.pick(givenNames),
    phone: `19900${String(random.between(100_000, 999_999))}`,
    address: random.chance(0.8) ? `${point.city}${point.address.replace(/\s.*$/, '')}` : '',
    parentName: isPupil ? surname + random.pick(givenNames) : '',
    region: `${point.province} ${point.city}`.replace(/^(\S+) \1$/, '$1'),
    state: random.chance(0.03) ? 'stopped' : 'active',
    merchantId: own,
    tiedTo: isNobodys ? [] : isOfTwo ? [own, random.pick(sisters)] : [own],
    hasLeft,
    registeredAt: new Date(now.getTime() - random.between(40, 700) * DAY_MS - random.between(0, 86_399) * 1000),
  }
}
