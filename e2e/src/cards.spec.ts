import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import type { Device } from '../../fleet/src/link/client'
import { button, field, formOf, openRow, pick, send, signedIn, told } from './kit/desk'
import { query, type RunningServer } from './kit/harness'
import { type Machine, sellingSlot, shopsOf, startQuietServer, switchOn } from './kit/machines'

/** A card is topped up at the desk, asked about and charged at a machine, and the lists say so; as a code is. */
test.describe.configure({ mode: 'serial' })

const { member: words, trade } = catalogs.zh
const orders = screenOf('jygl/ddgl').path
type Card = { id: number; physicalNo: string; logicalNo: string; member: string; machine: string; fen: number }
let server: RunningServer
let clerk: Page
let card: Card
let machine: Machine
let device: Device

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  const shops = shopsOf(server)
  const found = await query<Card>(
    server,
    `select c.id, c.physical_no as "physicalNo", c.logical_no as "logicalNo", holder.number as member,
      m.code as machine, -b.balance_fen as fen
    from member_card c join member holder on holder.id = c.member_id
    join machine m on m.merchant_id = c.merchant_id and m.code = any($1) and m.operation = 'in_operation'
    join ledger_account b on b.kind = 'card_liability' and b.merchant_id = c.merchant_id and b.key = c.id::text
    where c.state = 'active' and c.type = 'ordinary' order by c.id limit 1`,
    [shops.map(({ code }) => code)],
  )
  const [first] = found
  const shop = shops.find(({ code }) => code === first?.machine)
  if (!first || !shop) throw new Error('no card pays at any of these machines')
  card = first
  machine = shop
  device = await switchOn(server, machine)
  clerk = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  await clerk.context().close()
  await device.close()
  await server.stop()
})

const openMember = () => openRow(clerk, `${screenOf('shgl/glwdhy').path}?q=${card.member}`, card.member)
const fill = async (values: { physicalNo: string; amount: string; gift?: string }) => {
  const form = formOf(clerk)
  await field(form, words['field.physicalNo']).fill(values.physicalNo)
  await field(form, words['field.amountFen']).fill(values.amount)
  if (!values.gift) return
  await field(form, words['field.giftFen']).fill(values.gift)
  // A field that is left writes its amount out.
  await expect(field(form, words['field.giftFen'])).toHaveValue(new RegExp(`^${values.gift}(\\.00)?$`))
}

test('a card is topped up once the number fits, and a large amount is looked at twice', async () => {
  const own = (await openMember()).getByRole('article', { name: card.logicalNo })
  await button(own, words['verb.topUpCard']).click()
  await fill({ physicalNo: '00000000', amount: '612', gift: '30' })
  // What it comes to stands above the button, and moves it when it is known.
  await expect(formOf(clerk)).toContainText('¥30.00')
  await send(clerk, words['verb.topUpCard'])
  await expect(formOf(clerk)).toContainText(words['rule.secondLook'])
  await field(formOf(clerk), words['field.isConfirmed']).click()
  await send(clerk, words['verb.topUpCard'])
  await expect(formOf(clerk)).toContainText(words['refusal.card.otherNumber'].split('{{')[0] ?? '')
  await fill({ physicalNo: card.physicalNo, amount: '612' })
  await send(clerk, words['verb.topUpCard'])
  await expect(told(clerk, words['verb.topUpCard.done'])).toBeVisible()
  await expect(own).toContainText(yuan(card.fen + 61_200))
  await expect(own).toContainText(words['topUpMethod.cash'])
})

test('what the rules give on top is given where nobody says otherwise, and a desk gives no more', async () => {
  const [owner] = await query<{ name: string }>(
    server,
    'select m.name from merchant m join member_card c on c.merchant_id = m.id where c.id = $1',
    [card.id],
  )
  await clerk.goto(screenOf('hygl/yhsz').path)
  await button(clerk, words['verb.addTopUpGift']).first().click()
  await pick(clerk, words['field.merchantId'], owner?.name ?? '')
  await field(formOf(clerk), words['field.name']).fill('满百赠五')
  await field(formOf(clerk), words['field.fromFen']).fill('100')
  await field(formOf(clerk), words['field.giftFen']).fill('5')
  await field(formOf(clerk), words['field.fromDay']).fill('2026-01-01')
  await send(clerk, words['verb.addTopUpGift'])
  await expect(clerk.getByRole('table')).toContainText('满百赠五')
  const own = (await openMember()).getByRole('article', { name: card.logicalNo })
  await button(own, words['verb.topUpCard']).click()
  await fill({ physicalNo: card.physicalNo, amount: '100', gift: '6' })
  await expect(formOf(clerk)).toContainText(words['topUp.rule'].split('{{')[0] ?? '')
  await send(clerk, words['verb.topUpCard'])
  await expect(formOf(clerk)).toContainText(words['refusal.card.giftAbove'].split('{{')[0] ?? '')
  await field(formOf(clerk), words['field.giftFen']).fill('')
  await send(clerk, words['verb.topUpCard'])
  await expect(told(clerk, words['verb.topUpCard.done'])).toBeVisible()
  const [last] = await query<{ gift: number }>(
    server,
    'select gift_fen::int as gift from member_card_top_up where card_id = $1 order by id desc limit 1',
    [card.id],
  )
  expect(last?.gift).toBe(500)
})

test('a machine asks what the card may pay, charges it, and the order says it was paid by card', async () => {
  const told = await device.check('card.check', card.physicalNo)
  expect(told).toMatchObject({ balanceFen: card.fen + 71_200 })
  const orderNo = 'E2E-CARD-1'
  const items = [{ slot: sellingSlot(machine).code }]
  const answer = await device.request({ orderNo, method: 'member_card', code: card.physicalNo, items })
  expect(answer).toMatchObject({ isPaid: true })
  await clerk.goto(`${orders}?orderNo=${machine.code}-${orderNo}`)
  await expect(clerk.getByRole('table')).toContainText(trade['method.member_card'])
})

test('a code that a customer was given is asked about and taken, and the order says so', async () => {
  const [code = ''] = machine.codes ?? []
  const answer = await device.check('pickup.check', code)
  if (!('content' in answer)) throw new Error(`the code gives nothing: ${JSON.stringify(answer)}`)
  const [wanted] = answer.content
  const slot = machine.slots.find(({ product, stock }) => product === wanted?.product && stock > 0)
  const orderNo = 'E2E-CODE-1'
  const items = [{ slot: slot?.code ?? '' }]
  const paid = await device.request({ orderNo, method: 'pickup_code', code, items })
  expect(paid).toMatchObject({ isPaid: true, amountFen: 0 })
  await clerk.goto(`${orders}?orderNo=${machine.code}-${orderNo}`)
  await expect(clerk.getByRole('table')).toContainText(trade['method.pickup_code'])
})

const yuan = (fen: number) => (fen / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')
