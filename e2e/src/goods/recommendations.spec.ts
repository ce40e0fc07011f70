import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, filled, formOf, send, signedIn, told } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'

/** What a merchandiser does with what is recommended each week. */
test.describe.configure({ mode: 'serial' })

const { advice: words } = catalogs.zh
const LIST = screenOf('yxch/sptj').path
let server: RunningServer
let page: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  await haveReasons()
  page = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  await page.context().close()
  await server.stop()
})

/** What sells was gone for half of its week, and something was never sold: the demo's are not so on every day. */
async function haveReasons() {
  await query(
    server,
    `insert into stock_out (place_id, product_id, began_at, ended_at, ended_by)
      select place_id, product_id, now() - interval '6 days', now() - interval '3 days', 'goods' from slot
      where machine_id is not null and product_id is not null
        and not exists (select from stock_out o where o.place_id = slot.place_id and o.product_id = slot.product_id)`,
  )
  const unsold = `select machine_id, min(product_id) as product_id from slot
    where machine_id is not null and next_product_id is null and not is_locked and choice = 'none' group by 1`
  await query(
    server,
    `delete from rollup_day_machine_product r using (${unsold}) u
      where r.machine_id = u.machine_id and r.product_id = u.product_id`,
  )
  await query(
    server,
    `update slot_layer y set filled_at = now() - interval '60 days' from slot s, (${unsold}) u
      where s.machine_id = u.machine_id and s.product_id = u.product_id and y.place_id = s.place_id`,
  )
  await query(server, `select graphile_worker.add_job('advice.recommendProducts', '{}'::json)`)
  const found = `select count(distinct kind)::int as kinds from recommendation
    where kind in ('widen', 'replace') and state = 'open'`
  await expect.poll(() => query(server, found)).toEqual([{ kinds: 2 }])
}

const firstOf = (kind: string) =>
  page.getByRole('table').getByRole('row').filter({ hasText: kind }).getByRole('link').first()

test('what is always empty gets another slot at the next service, which the slot says too', async () => {
  await page.goto(`${LIST}?state=open&kind=widen`)
  await firstOf(words['recommendationKind.widen']).click()
  const drawer = drawerOf(page)
  await expect(drawer).toContainText(words['recommendation.empty'])
  await expect(drawer).toContainText(words['field.lowFen'])
  await button(drawer, words['verb.acceptRecommendation']).click()
  await send(page, words['verb.acceptRecommendation'])
  await expect(told(page, filled(words['verb.acceptRecommendation.done'], { slot: '' }).slice(0, 3))).toBeVisible()
  await expect(drawer).toContainText(words['recommendationState.accepted'])
})

test('what costs more than it earns is ignored on a page of its own, with a reason', async () => {
  await page.goto(`${LIST}?state=open&kind=replace`)
  await firstOf(words['recommendationKind.replace']).click()
  await drawerOf(page).getByRole('link', { name: catalogs.zh.screens['yxch/sptjxq'] }).click()
  await expect(page).toHaveURL(/sptjxq\?id=\d+/)
  await button(page, words['verb.ignoreRecommendation']).click()
  await field(formOf(page), words['field.reason']).fill('试点商品')
  await send(page, words['verb.ignoreRecommendation'])
  await expect(told(page, words['verb.ignoreRecommendation.done'])).toBeVisible()
  await expect(page.locator('[data-part=tag]', { hasText: words['recommendationState.ignored'] })).toBeVisible()
  await expect(page.getByText('试点商品')).toBeVisible()
})
