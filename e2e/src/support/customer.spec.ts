import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, formOf, openRow, send, signedIn, told } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'
import { expectAccessible, openVisit, type Visit, WCAG } from '../kit/visit'

/** A customer on a phone says what went wrong and follows it; support pays back; the page says so. */
test.describe.configure({ mode: 'serial' })

const { support: words } = catalogs.zh
const GOODS = '无糖绿茶'
type Bought = { machineId: number; orderNo: string; fen: number; at: string }
let server: RunningServer
let order: Bought
let customer: Visit
let helper: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  const found = await query<Bought>(
    server,
    `select o.machine_id::int as "machineId", o.order_no as "orderNo", o.paid_fen::int as fen,
       to_char(o.paid_at at time zone m.time_zone, 'YYYY-MM-DD"T"HH24:MI') as at
     from orders o join machine m on m.id = o.machine_id
     where o.method = 'member_card' and o.held_fen = 0 and o.order_state = 'done' and o.paid_fen between 100 and 4000
       and o.paid_at > now() - interval '20 days' and m.retired_at is null
       and not exists (select 1 from customer_case c where c.order_id = o.id)
     order by o.paid_at desc limit 1`,
  )
  if (!found[0]) throw new Error('nothing was bought by card')
  order = found[0]
  customer = await openVisit(browser, { language: 'zh', theme: 'light', width: 360 }, server.url)
  helper = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  await customer.close()
  await helper.context().close()
  await server.stop()
})

async function expectReadable(page: Page): Promise<void> {
  await expectAccessible(page, page.url(), [...WCAG, 'best-practice'])
  const isWider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
  expect(isWider).toBe(false)
}

test('the code on the machine opens a form, and what is missing is said', async () => {
  const { page } = customer
  await helper.goto(`${screenOf('shj/wdshj').path}?id=${order.machineId}&tab=place`)
  const address = await helper.getByRole('link', { name: /\/c\// }).getAttribute('href')
  await page.goto(new URL(new URL(address ?? '', server.url).pathname, server.url).href)
  await expect(page.getByRole('heading', { name: words['customer.title'] })).toBeVisible()
  await page.getByText(words['customer.asked']).click()
  await page.getByText('付了款没有出货怎么办？').click()
  await expect(page.getByText('款项会自动原路退回')).toBeVisible()
  await expectReadable(page)
  await page.getByText(words['customer.kind.wrong']).click()
  await page.getByLabel(words['customer.field.amount']).fill('0')
  await button(page, words['customer.send']).click()
  await expect(page.getByRole('alert')).toContainText(words['customer.problem.amount'])
  await expectReadable(page)
})

test('sent, it is received, and its page is followed', async () => {
  const { page } = customer
  await page.getByLabel(words['customer.field.amount']).fill((order.fen / 100).toFixed(2))
  await page.getByLabel(words['customer.field.at']).fill(order.at)
  await page.getByLabel(words['customer.field.goods']).fill(GOODS)
  await page.getByLabel(words['customer.field.phone']).fill('13800138055')
  await button(page, words['customer.send']).click()
  await expect(page).toHaveURL(/\/c\/case\/[\w-]{22}$/)
  await expect(page.getByRole('status')).toContainText(words['customer.case.received'])
  await expectReadable(page)
  await page.getByLabel(words['customer.case.word']).fill('我在机器旁边等。')
  await button(page, words['customer.case.send']).click()
  await expect(page.getByRole('list').first()).toContainText('我在机器旁边等。')
})

test('support sees the case, pays its order back in one tap, and the customer reads so', async () => {
  const drawer = await openRow(helper, `${screenOf('shkf/khfk').path}?q=8055`, GOODS)
  await expect(drawer).toContainText('13800138055')
  await expect(drawer).toContainText('我在机器旁边等。')
  await button(drawer, words['verb.chooseCustomerOrder']).click()
  await field(formOf(helper), words['field.orderNo']).fill(order.orderNo)
  await send(helper, words['verb.chooseCustomerOrder'])
  await expect(told(helper, words['verb.chooseCustomerOrder.done'])).toBeVisible()
  await button(drawer, words['verb.refundCustomerCase']).click()
  await send(helper, words['verb.refundCustomerCase'])
  await expect(told(helper, words['verb.refundCustomerCase.done'])).toBeVisible()
  await expect(drawerOf(helper)).toContainText(words['customerState.refunded'])
  const { page, problems } = customer
  await page.reload()
  await expect(page.getByRole('status')).toContainText('退回')
  await expectReadable(page)
  // What was refused was answered so.
  expect(problems.filter((each) => !each.includes('422'))).toEqual([])
})

test('the customer is not content, and support answers', async () => {
  const { page } = customer
  await page.getByLabel(words['customer.case.word']).fill('还没到账。')
  await button(page, words['customer.case.send']).click()
  await expect(page.getByRole('status')).toContainText(words['customer.case.reopened'])
  const drawer = drawerOf(helper)
  await expect(drawer).toContainText(words['customerState.reopened'])
  await button(drawer, words['verb.answerCustomerCase']).click()
  await field(formOf(helper), words['field.body']).fill('明天到账。')
  await send(helper, words['verb.answerCustomerCase'])
  await expect(told(helper, words['verb.answerCustomerCase.done'])).toBeVisible()
  await page.reload()
  await expect(page.getByRole('list').first()).toContainText('明天到账。')
})
