import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, formOf, openRow, send, signedIn, told } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'

/** A batch from its making to its recall, by three people, and what it holds back in a slot. */
test.describe.configure({ mode: 'serial' })

const { medicine: words, planogram: plan } = catalogs.zh
const path = screenOf('ypgl/yppc').path
const NUMBER = 'E2E-2703'
let server: RunningServer
let writer: Page
let starter: Page
let closer: Page
let slot: { machineId: number; code: string; front: string; product: string }

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  writer = await signedIn(browser, 'admin', server.url)
  starter = await signedIn(browser, 'deputy', server.url)
  closer = await signedIn(browser, 'treasurer', server.url)
})
test.afterAll(async () => {
  for (const page of [writer, starter, closer]) await page.context().close()
  await server.stop()
})

/** A slot that holds one good batch, to which some of the new one is filled behind. */
async function fillBehind(): Promise<typeof slot> {
  const [found] = await query<typeof slot>(
    server,
    `with own as (select s.place_id, s.machine_id, s.code, l.product_id, p.merchant_id, max(l.batch) as front
        from slot_layer l join slot s on s.place_id = l.place_id and s.product_id = l.product_id
        join place p on p.id = s.place_id join medicine_batch b on b.product_id = l.product_id and b.number = l.batch
        where b.state = 'available' and b.expires_on > now() + interval '90 days' group by 1, 2, 3, 4, 5
        having count(*) = 1 order by 1 limit 1),
      moved as (insert into stock_move (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause,
          reference, batch)
        select merchant_id, now(), product_id, 4, (select id from place where kind = 'supplier' limit 1), place_id,
          'fill', 'e2e', $1 from own returning id)
    select machine_id as "machineId", own.code, front, p.name as product from own, moved, product p
    where p.id = own.product_id`,
    [NUMBER],
  )
  if (!found) throw new Error('no slot holds one good batch')
  return found
}

test('a batch is made by the month of its label, locked with a reason, and released', async () => {
  slot = await fillBehind()
  await writer.goto(path)
  await button(writer, words['verb.addBatch']).click()
  await field(formOf(writer), words['field.productId']).fill(slot.product)
  await expect(formOf(writer).getByRole('listbox').getByRole('option').first()).toBeVisible()
  await writer.keyboard.press('Enter')
  await field(formOf(writer), words['field.number']).fill(NUMBER)
  await field(formOf(writer), words['field.expiresOn']).fill('2099-02')
  await send(writer, words['verb.addBatch'])
  await expect(told(writer, words['verb.addBatch.done'])).toBeVisible()
  const drawer = await openRow(writer, `${path}?q=${NUMBER}`, NUMBER)
  await expect(drawer).toContainText(slot.code)
  await button(drawer, words['verb.lockBatch']).click()
  await field(formOf(writer), words['field.reason']).fill('顾客投诉')
  await send(writer, words['verb.lockBatch'])
  await expect(drawer).toContainText(words['batchState.locked'])
  await button(drawer, words['verb.releaseBatch']).click()
  await field(formOf(writer), words['field.reason']).fill('检查合格')
  await send(writer, words['verb.releaseBatch'])
  await expect(drawer).toContainText(words['batchState.available'])
})

test('good pieces behind a locked front are shown with the slot and with the batch', async () => {
  const drawer = await openRow(writer, `${path}?q=${slot.front}&stock=some`, slot.front)
  await button(drawer, words['verb.lockBatch']).click()
  await field(formOf(writer), words['field.reason']).fill('待检验')
  await send(writer, words['verb.lockBatch'])
  await expect(drawer).toContainText(words['batch.trapped'].split('，')[0] ?? '')
  await writer.goto(`${screenOf('shj/hdgl').path}?id=${slot.machineId}`)
  await expect(writer.getByText(plan['held.locked']).first()).toBeVisible()
  await expect(writer.getByText(plan['held.trapped'].split('{{')[0] ?? '').first()).toBeVisible()
})

test('three people recall it: from the start on nothing of it is sold, and what was done is signed', async () => {
  const drawer = await openRow(writer, `${path}?q=${NUMBER}`, NUMBER)
  await button(drawer, words['verb.addRecall']).click()
  await field(formOf(writer), words['field.class']).selectOption('ii')
  await field(formOf(writer), words['field.reason']).fill('生产企业通知')
  await send(writer, words['verb.addRecall'])
  await expect(told(writer, words['verb.addRecall.done'])).toBeVisible()
  const [recall] = await query<{ id: number }>(server, 'select max(id)::int as id from recall')
  const address = `${path}?part=recalls&open=${recall?.id}`
  await writer.goto(address)
  await expect(drawerOf(writer).getByRole('button', { name: words['verb.startRecall'] }).first()).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await starter.goto(address)
  await button(drawerOf(starter), words['verb.startRecall']).click()
  await send(starter, words['verb.startRecall'])
  await expect(drawerOf(starter)).toContainText(words['recallState.active'])
  const [batch] = await query<{ state: string }>(server, 'select state from medicine_batch where number = $1', [NUMBER])
  expect(batch?.state).toBe('recalled')
  await expect(async () => {
    await starter.reload()
    await expect(button(drawerOf(starter), words['verb.pullTarget']).first()).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await button(drawerOf(starter), words['verb.pullTarget']).first().click()
  await send(starter, words['verb.pullTarget'])
  await expect(drawerOf(starter)).toContainText(words['targetState.pulled'])
  await closer.goto(address)
  await button(drawerOf(closer), words['verb.closeRecall']).click()
  await field(formOf(closer), words['field.summary']).fill('全部撤出')
  await send(closer, words['verb.closeRecall'])
  await expect(drawerOf(closer)).toContainText(words['recallState.closed'])
  await button(drawerOf(closer), words['proof.open']).click()
  await expect(formOf(closer)).toContainText(words['proof.verified'])
  await expect(formOf(closer)).toContainText(NUMBER)
})
