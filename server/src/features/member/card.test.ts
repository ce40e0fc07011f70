import { randomUUID } from 'node:crypto'
import type { Movement } from '@aisle/contract/kernel/money'
import { getCard, listCards, previewTopUp, topUpCard } from '@aisle/contract/member/memberCard'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { issueCard, type NewCard } from '../../testing/tenders'
import { openWorld, type World } from '../../testing/world'
import { bookFaults } from '../settlement/check.reads'
import { settleRest } from '../settlement/settle.commands'
import { contradictions } from '../trade/recount'
import { routes } from './card.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let clerk: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
  clerk = await tokenOf(['memberCard.read', 'memberCard.topUp'])
})
afterAll(async () => {
  await http.close()
  await world.close()
})

async function tokenOf(grants: readonly string[]): Promise<string> {
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants })
  return addSession(world.services.db, user.id, NOON)
}
const card = (more: Partial<NewCard> = {}) =>
  issueCard(world, { merchantId: family.ours.merchantId, balanceFen: 100, ...more })

type Asked = { id: number; physicalNo: string; amountFen: number } & Record<string, unknown>
const paying = (
  { cardId, physicalNo }: Awaited<ReturnType<typeof card>>,
  more: Record<string, unknown> = {},
): Asked => ({
  id: cardId,
  physicalNo,
  amountFen: 5_000,
  method: 'cash',
  ...more,
})
async function topUp(asked: Asked, token = clerk, key?: string) {
  const { status, body } = await http.call(topUpCard, asked, { token, ...(key ? { key } : {}) })
  return { status, code: body.code, data: body.data }
}

async function entriesOf(cardId: number) {
  const found = await sql<{ kind: string; fen: number }>`select a.kind, sum(e.amount_fen)::bigint as fen
    from ledger_transfer t join ledger_entry e on e.transfer_id = t.id join ledger_account a on a.id = e.account_id
    where t.kind = 'card_top_up' and t.reference in (
      select id::text from member_card_top_up where card_id = ${cardId}) group by 1`.execute(world.services.db)
  return Object.fromEntries(found.rows.map(({ kind, fen }) => [kind, fen]))
}

/** Of the books alone: the family's orders stand there without their figures. */
async function wrongBooks(): Promise<string[]> {
  const { db } = world.services
  const said = [...(await contradictions(db)), ...(await bookFaults(db))]
  return said.filter((what) => /^(ledger|account|issuer) /.test(what))
}

test('what is paid at the desk is on the card at once, with the gift, and due from the issuer', async () => {
  const made = await card()
  const asked = paying(made, { physicalNo: made.physicalNo.toUpperCase(), giftFen: 500, note: '家长交费' })
  const { id, amountFen, giftFen, method } = asked
  const preview = await http.call(previewTopUp, { id, amountFen, giftFen, method }, { token: clerk })
  const moves = (preview.body.data as { movements: Movement[] }).movements.map((each) => [
    each.account.split(':')[0],
    each.amountFen,
  ])
  expect(await topUp(asked)).toMatchObject({ status: 200, data: { balanceFen: 5_100, giftFen: 500 } })
  expect(await entriesOf(made.cardId)).toEqual({
    card_due: 5_000,
    card_liability: -5_000,
    coupon_cost: 500,
    gift_liability: -500,
  })
  expect(Object.fromEntries(moves)).toEqual(await entriesOf(made.cardId))
  const { body } = await http.call(getCard, { id: made.cardId }, { token: clerk })
  expect(body.data).toMatchObject({
    balanceFen: 5_100,
    giftFen: 500,
    toppedUpFen: 5_000,
    topUpCount: 1,
    topUps: [{ method: 'cash', amountFen: 5_000, giftFen: 500, note: '家长交费' }],
  })
  const written = await sql<{ after: Record<string, unknown> }>`select after from audit_log
    where action = 'member.topUpCard' and object_id = ${String(made.cardId)}`.execute(world.services.db)
  expect(written.rows).toMatchObject([{ after: { balanceFen: 5_100, amountFen: 5_000, method: 'cash' } }])
  expect(await wrongBooks()).toEqual([])
})

test.each<[string, Partial<NewCard>, Record<string, unknown>, string]>([
  ['another card lies on the reader', {}, { physicalNo: '00000000' }, 'card.otherNumber'],
  ['the card is locked', { state: 'locked' }, {}, 'card.notActive'],
  ['it was never activated', { state: 'not_activated' }, {}, 'card.notActive'],
  ['it was reported lost', { state: 'lost' }, {}, 'card.notActive'],
  ['it is a gift card', { type: 'gift' }, {}, 'card.gift'],
])('nothing is put on a card when %s', async (_, made, more, code) => {
  const issued = await card(made)
  expect(await topUp(paying(issued, more))).toMatchObject({ code })
  expect(await entriesOf(issued.cardId)).toEqual({})
})

test.each<[string, Record<string, unknown>, string | null]>([
  ['500 yuan', { amountFen: 50_000 }, null],
  ['a fen more', { amountFen: 50_001 }, 'isConfirmed'],
  ['a fen more, looked at twice', { amountFen: 50_001, isConfirmed: true }, null],
  ['nothing', { amountFen: 0 }, 'amountFen'],
  ['more as a gift than was paid', { giftFen: 5_001 }, 'giftFen'],
  ['by a channel that took nothing', { method: 'wechat' }, 'method'],
])('a top-up of %s', async (_, more, field) => {
  const { status, body } = await http.call(topUpCard, paying(await card(), more), { token: clerk })
  expect(status).toBe(field === null ? 200 : 422)
  if (field !== null) expect(body.fields).toMatchObject([{ path: field }])
})

test('sent again it is put on once, and of sixty-four at once each counts', async () => {
  const made = await card({ balanceFen: 0 })
  const key = randomUUID()
  await Promise.all(Array.from({ length: 8 }, () => topUp(paying(made), clerk, key)))
  expect((await entriesOf(made.cardId)).card_liability).toBe(-5_000)
  await Promise.all(Array.from({ length: 64 }, () => topUp(paying(made, { amountFen: 1 }))))
  expect((await entriesOf(made.cardId)).card_liability).toBe(-5_064)
  expect(await wrongBooks()).toEqual([])
})

test('who may not, and who sees the card not, puts nothing on it', async () => {
  const made = await card()
  expect(await topUp(paying(made), await tokenOf(['memberCard.read']))).toMatchObject({ status: 403 })
  const theirs = await issueCard(world, { merchantId: family.theirs.merchantId })
  expect(await topUp(paying(theirs))).toMatchObject({ status: 404 })
})

test('cards are found by either number, whole, and summed over what is found', async () => {
  const made = await card({ balanceFen: 700, giftFen: 50 })
  const asked = [{ q: made.physicalNo }, { token: clerk }] as const
  const { body } = await http.call(listCards, ...asked)
  expect(body.data).toMatchObject({ items: [{ id: made.cardId, balanceFen: 700, giftFen: 50 }] })
  const counted = await http.call(listCards.count, ...asked)
  expect(counted.body.data).toEqual({ total: 1, sums: { balanceFen: 700, giftFen: 50 } })
})

test('what the desk took is taken off what its merchant could withdraw, as far as that goes', async () => {
  const { db } = world.services
  const { merchantId } = family.ours
  const account = async (kind: string) => {
    const found = await sql<{ fen: number }>`select coalesce(sum(balance_fen), 0)::bigint as fen from ledger_account
      where kind = ${kind} and merchant_id = ${merchantId}`.execute(db)
    return found.rows[0]?.fen ?? 0
  }
  const dueFen = await account('card_due')
  expect(dueFen).toBeGreaterThan(1_000)
  const give = (amountFen: number) =>
    sql`with made as (
      insert into ledger_account (kind, merchant_id, key, bound) values ('available', ${merchantId}, '', -1),
        ('pending', ${merchantId}, '', 0) on conflict (kind, merchant_id, key) do update set bound = excluded.bound
      returning id, kind), moved as (
      insert into ledger_transfer (kind, reference, merchant_id, posted_at, business_day)
      values ('adjustment', ${`test ${amountFen}`}, ${merchantId}, ${NOON}, '2026-11-20') returning id)
    insert into ledger_entry (merchant_id, posted_at, transfer_id, account_id, amount_fen)
    select ${merchantId}, ${NOON}, moved.id, made.id,
      case made.kind when 'pending' then ${amountFen}::bigint else -${amountFen}::bigint end from made, moved`.execute(
      db,
    )
  await give(1_000)
  await db.transaction().execute((tx) => settleRest(tx, NOON))
  expect([await account('card_due'), await account('available')]).toEqual([dueFen - 1_000, 0])
  await give(dueFen)
  await db.transaction().execute((tx) => settleRest(tx, NOON))
  await db.transaction().execute((tx) => settleRest(tx, NOON))
  expect([await account('card_due'), await account('available')]).toEqual([0, -1_000])
  expect(await wrongBooks()).toEqual([])
})
