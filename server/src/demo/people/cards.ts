import { topUpCard } from '@aisle/contract/member/memberCard'
import { DAY_MS } from '../calendar'
import type { Past } from '../life/within'
import type { Planned } from '../network/planned'
import { randomFrom, seedOf } from '../random'

/** Beside the members' own, cards that nobody is named on: of visitors and of the desk. */
const NAMELESS = 2
const YUAN = 100

/** Every second member's card and the desks' own, and what their holders paid in before the first sale. */
export async function giveCards(past: Past, network: readonly Planned[], startMs: number): Promise<void> {
  const { as, at, idOf, tx } = past
  const issuers = network.filter(({ collectsPayment }) => !collectsPayment).map(({ machine }) => machine.merchant)
  const merchantIds = [...new Set(issuers)].map((code) => idOf('merchant', code))
  const members = await tx
    .selectFrom('member')
    .select(['id', 'merchantId', 'registeredAt', 'parentName'])
    .where('merchantId', 'in', merchantIds)
    .where('state', '=', 'active')
    .orderBy('id')
    .execute()
  const nobody = { id: null, registeredAt: new Date(startMs - 30 * DAY_MS), parentName: '' }
  const nameless = merchantIds.flatMap((merchantId) =>
    Array.from({ length: NAMELESS }, () => ({ ...nobody, merchantId })),
  )
  const cards = [...members.filter((_, n) => n % 2 === 0), ...nameless].map(cardOf)
  const write = tx.insertInto('memberCard').values(cards).returning(['id', 'physicalNo', 'state', 'memberId'])
  const active = (await write.execute()).filter(({ state }) => state === 'active')
  for (const [n, { id, physicalNo, memberId }] of active.entries()) {
    const random = randomFrom(seedOf(`card/${physicalNo}`))
    // No more than 1,000 yuan stand on a card that nobody is named on.
    const amountFen = (memberId === null ? random.between(14, 19) : random.between(20, 60)) * 50 * YUAN
    // A twentieth on top.
    const paid = { amountFen, giftFen: amountFen / 20, method: n % 3 === 0 ? 'cash' : 'transfer' } as const
    at(startMs - random.between(1, 15) * DAY_MS)
    await as('deputy', topUpCard, { id, physicalNo, ...paid, isConfirmed: true })
  }
}

type Holder = { id: number | null; merchantId: number; registeredAt: Date; parentName: string }

function cardOf({ id, merchantId, registeredAt, parentName }: Holder, n: number) {
  const random = randomFrom(seedOf(`card/${n}`))
  const odd = random.pick(['not_activated', 'locked', 'lost'] as const)
  // The desk's own are in force, so that what was paid by card finds one.
  const state = id !== null && random.chance(0.1) ? odd : ('active' as const)
  const isPupil = parentName !== ''
  return {
    merchantId,
    memberId: id,
    state,
    createdAt: registeredAt,
    level: 1 + (n % 3),
    type: isPupil ? ('student' as const) : random.pick(['staff', 'ordinary', 'ordinary'] as const),
    physicalNo: seedOf(`card/physical/${n}`).toString(16).padStart(8, '0'),
    logicalNo: `K${String(600_001 + n * 3)}`,
    // What a pupil may spend a day is what parents asked for.
    ...(isPupil ? { singleMaxFen: 30 * YUAN, dailyAmountFen: 60 * YUAN, dailyCountLimit: 8 } : noLimits),
    activatedAt: state === 'not_activated' ? null : registeredAt,
  }
}
const noLimits = { singleMaxFen: 0, dailyAmountFen: 0, dailyCountLimit: 0 }
