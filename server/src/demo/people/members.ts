import type { Tx } from '../../kernel/context'
import { soundOf } from '../../features/catalog/public'
import { DAY_MS } from '../calendar'
import { merchants } from '../data/merchants'
import { givenNames, surnames } from '../data/names'
import type { DemoMachine } from '../network/network'
import { idOf, type Ids } from './people'
import { randomFrom, seedOf } from '../random'

const MEMBERS = 300

/** Members where machines stand; most are tied to whom they registered with, some to two merchants, some to none. */
export async function addMembers(
  tx: Tx,
  machines: readonly DemoMachine[],
  ids: { merchants: Ids; users: Ids },
  now: Date,
): Promise<void> {
  const members = Array.from({ length: MEMBERS }, (_, index) => planMember(index, machines, ids.merchants, now))
  const made = await tx
    .insertInto('member')
    .values(members.map(({ tiedTo: _, hasLeft: __, ...member }) => member))
    .returning(['id', 'number'])
    .execute()
  const memberIds = new Map(made.map(({ id, number }) => [number, id]))
  const ended = {
    unlinkedAt: new Date(now.getTime() - 20 * DAY_MS),
    unlinkedBy: idOf(ids.users, 'merchant'),
    reason: '门店撤机，会员转出',
  }
  const ties = members.flatMap(({ number, tiedTo, hasLeft, registeredAt: linkedAt }) =>
    tiedTo.map((merchantId, index) => ({
      memberId: idOf(memberIds, number),
      merchantId,
      linkedAt,
      ...(hasLeft && index === 0 ? ended : { unlinkedAt: null, unlinkedBy: null, reason: '' }),
    })),
  )
  await tx.insertInto('memberMerchant').values(ties).execute()
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
  const name = surname + random.pick(givenNames)
  return {
    number: `HY${String(260_001 + index * 7)}`,
    name,
    sound: soundOf(name),
    phone: `19900${String(random.between(100_000, 999_999))}`,
    address: random.chance(0.8) ? `${point.city}${point.address.replace(/\s.*$/, '')}` : '',
    parentName: isPupil ? surname + random.pick(givenNames) : '',
    region: `${point.province} ${point.city}`.replace(/^(\S+) \1$/, '$1'),
    state: random.chance(0.03) ? ('stopped' as const) : ('active' as const),
    merchantId: own,
    tiedTo: isNobodys ? [] : isOfTwo ? [own, random.pick(sisters)] : [own],
    hasLeft,
    registeredAt: new Date(now.getTime() - random.between(40, 700) * DAY_MS - random.between(0, 86_399) * 1000),
  }
}
