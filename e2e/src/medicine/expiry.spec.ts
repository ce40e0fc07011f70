import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, formOf, signedIn } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { machinesOf, startQuietServer, switchOn } from '../kit/machines'

/** A pharmacist's morning: what has expired, what soon will, and the care that is due. */
test.describe.configure({ mode: 'serial' })

const { medicine: words, trade, admin: kit, promotion } = catalogs.zh
const EXPIRY = screenOf('ypgl/ypqx').path
const CARE = screenOf('ypgl/ypyh').path
let server: RunningServer
let pharmacist: Page

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000)
  server = await startQuietServer()
  pharmacist = await signedIn(browser, 'pharmacist', server.url)
})
test.afterAll(async () => {
  await pharmacist.context().close()
  await server.stop()
})

/** The verb for the ticked row of that batch. @returns what came of it */
async function decide(batch: string, verb: string, fill: (form: ReturnType<typeof formOf>) => Promise<void>) {
  const row = pharmacist.getByRole('table').getByRole('row').filter({ hasText: batch }).first()
  await row.getByRole('checkbox').check()
  await button(pharmacist.getByRole('group', { name: kit.batch }), verb).click()
  const form = formOf(pharmacist)
  await fill(form)
  await button(form, verb).click()
  await expect(form.getByRole('listitem').first()).toContainText(words['outcome.done'])
  await form.getByRole('button').first().click()
}

test('what has expired is locked; what soon will is marked down, and the machine charges that', async ({ browser }) => {
  type Lot = { batch: string; machine: string; slot: string; priceFen: number }
  const lots = await query<Lot>(
    server,
    `select l.batch, k.code as machine, s.code as slot, s.price_fen as "priceFen"
      from batch_level l join medicine_batch b on b.product_id = l.product_id and b.number = l.batch
      join slot s on s.place_id = l.place_id join machine k on k.id = s.machine_id join product p on p.id = l.product_id
      join machine_grant_user g on g.machine_id = k.id join app_user u on u.id = g.user_id and u.account = 'pharmacist'
      where l.quantity > 0 and p.medicine_class = 'otc_b' and b.expires_on < now()::date + 180
        and not exists (select from markdown_slot c where c.slot_id = s.id and c.ended_at is null)
      order by b.expires_on`,
  )
  const [old, near] = [lots[0], lots.at(-1)]
  if (!old || !near || old === near) throw new Error('the demo has nothing that expires')
  await pharmacist.goto(`${server.url}${EXPIRY}`)
  await expect(pharmacist.getByRole('group', { name: words['expiry.summary'] })).toContainText(
    words['expiry.summary.expired'],
  )
  await decide(old.batch, words['verb.lockExpiring'], (form) => field(form, words['field.reason']).fill('已过有效期'))
  await expect(pharmacist.getByRole('row').filter({ hasText: old.batch }).first()).toContainText(
    words['batchStop.locked'],
  )
  await decide(near.batch, words['verb.markDownBatches'], async (form) => {
    await field(form, words['field.paidPercent']).fill('60')
  })

  const machine = machinesOf(server).find(({ code }) => code === near.machine)
  if (!machine) throw new Error('the machine is not in the demo’s file')
  const device = await switchOn(server, machine)
  const orderNo = `X-${randomUUID().slice(0, 8)}`
  const priced = Math.floor((near.priceFen * 60 + 50) / 100)
  const asked = await device.request({ orderNo, method: 'wechat', items: [{ slot: near.slot }] })
  expect(asked).toMatchObject({ amountFen: priced })
  await device.close()

  const merchant = await signedIn(browser, 'merchant', server.url)
  await merchant.goto(`${server.url}${screenOf('jygl/ddgl').path}?orderNo=${machine.code}-${orderNo}`)
  await merchant.getByRole('table').getByRole('link').first().click()
  await expect(drawerOf(merchant).getByText(trade['item.step.markdown'])).toBeVisible()
  // The step leads to the markdown, which says where it holds.
  await drawerOf(merchant).getByRole('link', { name: trade['item.step.markdown'] }).click()
  await expect(drawerOf(merchant)).toContainText(near.slot)
  await expect(drawerOf(merchant)).toContainText(promotion['markdownState.active'])
  await merchant.context().close()
})

test('care is signed and stays as it is, and the month is printed with what was missed', async () => {
  await pharmacist.goto(`${server.url}${CARE}?state=open`)
  await pharmacist.getByRole('table').getByRole('link').first().click()
  const drawer = drawerOf(pharmacist)
  await button(drawer, words['verb.signCare']).click()
  await field(formOf(pharmacist), words['field.measures']).fill('通风')
  await button(formOf(pharmacist), words['verb.signCare']).click()
  await expect(drawer.getByText(words['careState.done'], { exact: true })).toBeVisible()
  await expect(drawer).toContainText('顾清如')
  await expect(button(drawer, words['verb.correctCare'])).toBeVisible()

  await pharmacist.goto(`${server.url}${CARE}?state=missed`)
  await expect(pharmacist.getByRole('table').getByText(words['careState.missed']).first()).toBeVisible()
  const dueOn = await query<{ month: string }>(
    server,
    `select to_char(due_on, 'YYYY-MM') as month from care_task where state = 'missed' order by id limit 1`,
  )
  const month = dueOn[0]?.month ?? ''
  await pharmacist.goto(`${server.url}${CARE}?month=${month}`)
  await pharmacist.evaluate(() => {
    const sheet = () => document.querySelector('[data-part=care-sheet]')?.textContent
    window.print = () => Object.assign(window, { printed: sheet() })
  })
  await pharmacist.getByRole('button', { name: words['care.print'].replace('{{month}}', month) }).click()
  const printed = () => pharmacist.evaluate(() => String(Reflect.get(window, 'printed')))
  await expect.poll(printed).toContain(words['careState.missed'])
  // Nothing of it is left to be printed with the next paper.
  await expect(pharmacist.locator('[data-part=care-sheet]')).toHaveCount(0)
})
