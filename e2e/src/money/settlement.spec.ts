import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, filled, formOf, pick, send, signedIn, told } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'

/** A merchant's money from the settlement that it reads to the bank: disputed, answered, confirmed, withdrawn. */
test.describe.configure({ mode: 'serial' })

const { settlement: words, funds } = catalogs.zh
const batches = screenOf('cwgl/cwjs').path
const withdrawals = screenOf('cfgl/txgl').path
/** Asks for money in the demo: has an approved account, and somebody who pays it. */
const WITHDRAWS = 'EASTRX'
let server: RunningServer
let merchant: Page
let admin: Page
let batch: { id: number; orderNo: string }

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  const [found] = await query<typeof batch>(
    server,
    `select s.id, n.order_no as "orderNo" from settlement s join merchant m on m.id = s.merchant_id and m.code = $1
      join settled_item i on i.settlement_id = s.id and i.kind = 'order' and i.amount_fen > 0
      join order_number n on n.order_id = i.reference
      where s.state = 'open' order by s.id desc, i.reference limit 1`,
    [WITHDRAWS],
  )
  if (!found) throw new Error(`the demo has no settlement that ${WITHDRAWS} may still confirm`)
  batch = found
  // The test runs at any hour.
  await query(
    server,
    `insert into setting (key, value) values ('withdrawal.window', '{"from": "00:00", "to": "23:59"}')
      on conflict (key, merchant_id) do update set value = excluded.value`,
  )
  merchant = await signedIn(browser, 'merchant', server.url)
  admin = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  await merchant.context().close()
  await admin.context().close()
  await server.stop()
})

const stateOf = (page: Page, state: string) => drawerOf(page).getByText(state, { exact: true }).first()

test('the statement that is downloaded bears the checksum that is shown', async () => {
  await merchant.goto(`${batches}?open=${batch.id}`)
  await expect(drawerOf(merchant)).toContainText(words['tie.yes'])
  const shown = await drawerOf(merchant).locator('code').first().innerText()
  const download = merchant.waitForEvent('download')
  await button(drawerOf(merchant), words['batch.statement.csv']).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toContain(batch.orderNo)
  const below = text.slice(text.indexOf('\n') + 1)
  expect(createHash('sha256').update(below).digest('hex')).toBe(shown)
})

test('what is printed is the same lines under the same checksum, in a file of the statement’s name', async () => {
  await merchant.evaluate(() => {
    window.print = () => {
      const paper = document.querySelector('[data-part~=statement-paper]')
      const lines = [...(paper?.querySelectorAll('tbody tr') ?? [])].map((line) =>
        [...line.children].map((cell) => cell.textContent).join(','),
      )
      document.body.dataset.printed = JSON.stringify({ title: document.title, text: paper?.textContent, lines })
    }
  })
  await button(drawerOf(merchant), words['batch.statement.print']).click()
  await expect(merchant.locator('body')).toHaveAttribute('data-printed', /lines/)
  const { title, text, lines } = JSON.parse((await merchant.locator('body').getAttribute('data-printed')) ?? '')
  expect(title).toMatch(new RegExp(`-${batch.id}$`))
  expect(text).toContain(await drawerOf(merchant).locator('code').first().innerText())
  // A line ends with what others share, where there is some.
  const told = lines.map((line: string) => `${line.replace(/,$/, '')}\r\n`).join('')
  expect(text).toContain(createHash('sha256').update(told).digest('hex'))
})

test('an order is disputed; the platform answers; only then does the merchant confirm the settlement', async () => {
  await merchant.goto(`${batches}?open=${batch.id}`)
  await button(drawerOf(merchant), words['verb.disputeOrder']).click()
  await field(formOf(merchant), words['field.orderNo']).fill(batch.orderNo)
  await field(formOf(merchant), words['field.reason']).fill('顾客称未出货')
  await send(merchant, words['verb.disputeOrder'])
  await expect(drawerOf(merchant)).toContainText(filled(words['batch.disputes'], { count: 1 }))
  await expect(drawerOf(merchant).getByRole('button', { name: words['verb.confirmSettlement'] })).toHaveAttribute(
    'aria-disabled',
    'true',
  )

  await admin.goto(`${batches}?part=disputes&state=toAnswer`)
  await admin.getByRole('table').getByRole('link', { name: batch.orderNo }).click()
  await expect(drawerOf(admin)).toContainText('顾客称未出货')
  await button(drawerOf(admin), words['verb.refuseDispute']).click()
  await field(formOf(admin), words['field.answer']).fill('机器传感器记录已出货')
  await send(admin, words['verb.refuseDispute'])
  await expect(stateOf(admin, words['disputeState.refused'])).toBeVisible()

  await expect(drawerOf(merchant)).toContainText('机器传感器记录已出货')
  await button(drawerOf(merchant), words['verb.confirmSettlement']).click()
  await send(merchant, words['verb.confirmSettlement'])
  await expect(stateOf(merchant, words['batchState.confirmed'])).toBeVisible()
})

const availableFen = async () => {
  const [held] = await query<{ fen: number }>(
    server,
    `select -sum(a.balance_fen)::int as fen from ledger_account a join merchant m on m.id = a.merchant_id
      where a.kind = 'available' and m.code = $1`,
    [WITHDRAWS],
  )
  return held?.fen ?? 0
}

test('a withdrawal is held at once, and free again when the platform says no', async () => {
  const before = await availableFen()
  const [owner] = await query<{ name: string }>(server, 'select name from merchant where code = $1', [WITHDRAWS])
  await merchant.goto(withdrawals)
  await button(merchant, funds['verb.applyWithdrawal']).first().click()
  await pick(merchant, funds['field.merchantId'], owner?.name ?? '')
  await field(formOf(merchant), funds['field.amountFen']).fill('2.50')
  await expect(formOf(merchant).getByRole('status')).toContainText(funds['funds.withdrawable'])
  await send(merchant, funds['verb.applyWithdrawal'])
  await expect(told(merchant, funds['verb.applyWithdrawal.done'])).toBeVisible()
  expect(await availableFen()).toBeLessThanOrEqual(before - 250)

  const [asked] = await query<{ id: number }>(server, 'select max(id)::int as id from withdrawal')
  await admin.goto(`${withdrawals}?open=${asked?.id}`)
  await button(drawerOf(admin), funds['verb.rejectWithdrawal']).click()
  await field(formOf(admin), funds['field.reason']).fill('请先核对账户')
  await send(admin, funds['verb.rejectWithdrawal'])
  await expect(stateOf(admin, funds['withdrawalState.rejected'])).toBeVisible()
  expect(await availableFen()).toBe(before)
  await merchant.goto(`${withdrawals}?open=${asked?.id}`)
  await expect(drawerOf(merchant)).toContainText('请先核对账户')
})
