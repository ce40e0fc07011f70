import { soundOf } from '../../features/catalog/public'
import { DAY_MS } from '../calendar'
import { merchants } from '../data/merchants'
import { givenNames, surnames } from '../data/names'
import type { Past } from '../life/within'
import type { DemoMachine } from '../network/network'
import { randomFrom, seedOf } from '../random'

const MEMBERS = 300

/** Members where machines stand; most are tied to whom they registered with, some to two merchants, some to none. */
export async function addMembers(past: Past, machines: readonly DemoMachine[]): Promise<void> {
  const { idOf, latestMs, tx } = past
  const unlinkedAt = new Date(latestMs - 20 * DAY_MS)
  const ended = { unlinkedAt, unlinkedBy: idOf('user', 'merchant'), reason: '门店撤机，会员转出' }
  for (let index = 0; index < MEMBERS; index += 1) {
    const { tiedTo, hasLeft, ...member } = planMember(past, index, machines)
    const { id } = await tx.insertInto('member').values(member).returning('id').executeTakeFirstOrThrow()
    const tie = { memberId: id, linkedAt: member.registeredAt }
    const ties = tiedTo.map((merchantId, at) => ({ ...tie, merchantId, ...(hasLeft && at === 0 ? ended : {}) }))
    if (ties.length > 0) await tx.insertInto('memberMerchant').values(ties).execute()
  }
}

function planMember({ idOf, latestMs }: Past, index: number, machines: readonly DemoMachine[]) {
  const random = randomFrom(seedOf(`member/${index}`))
  const { point } = random.pick(machines)
  const isPupil = point.kind === 'campus' && random.chance(0.7)
  const surname = random.pick(surnames)
  const own = idOf('merchant', point.merchant)
  const sisters = merchants.filter(({ parent }) => parent === point.merchant).map(({ code }) => idOf('merchant', code))
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
    registeredAt: new Date(latestMs - random.between(40, 700) * DAY_MS - random.between(0, 86_399) * 1000),
  }
}
