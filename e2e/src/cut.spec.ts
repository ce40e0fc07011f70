import { connect, createServer, type Server, type Socket } from 'node:net'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { expect, type Page, test } from '@playwright/test'
import { button, field, filled, formOf, send, signedIn } from './kit/desk'
import type { RunningServer } from './kit/harness'
import { cashSale, sellingSlot, shopOf, startQuietServer, switchOn } from './kit/machines'

/** A network that is cut without a word: connections stay open, and nothing passes through them any more. */
test.describe.configure({ mode: 'serial' })

const { admin: kit, fleet, kernel, merchant, system: words, wallboard: wall } = catalogs.zh
const TOLD_WITHIN_MS = 15_000
let server: RunningServer
let cable: Cable

test.beforeAll(async () => {
  server = await startQuietServer()
  cable = await openCable(server.place.port)
})
test.afterAll(async () => {
  await cable.close()
  await server.stop()
})

type Cable = { url: string; cut: () => void; mend: () => void; close: () => Promise<void> }

/** Between the browser and the server. */
async function openCable(port: number): Promise<Cable> {
  const sockets = new Set<Socket>()
  let isCut = false
  const proxy: Server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      if (isCut) from.pause()
      from.on('data', (part: Buffer) => to.write(part))
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    if (isCut) near.pause()
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const address = proxy.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    mend: () => {
      isCut = false
      for (const socket of sockets) socket.destroy()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => proxy.close(done))
    },
  }
}

const begin = (text: string) => text.split('{{')[0] ?? ''
const away = (page: Page) => page.getByRole('alert').filter({ hasText: words['away.body'] })

test('a wall whose network is cut says so within fifteen seconds, and is live again when it is back', async ({
  page,
}) => {
  await page.goto(`${cable.url}/databases`)
  const live = page.getByText(begin(wall['link.live']))
  await expect(live).toBeVisible()
  cable.cut()
  await expect(page.getByText(begin(wall['link.reconnecting']))).toBeVisible({ timeout: TOLD_WITHIN_MS })
  cable.mend()
  await expect(live).toBeVisible({ timeout: 30_000 })
})

test('cut off, the application says so and what is not saved; what was typed is saved when it is back', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin', cable.url)
  await page.goto(`${cable.url}${screenOf('shgl/wdsh').path}`)
  await button(page, merchant['verb.createMerchant']).click()
  const name = field(formOf(page), merchant['field.name'])
  await name.fill('Cut off')
  cable.cut()
  await expect(away(page)).toBeVisible({ timeout: TOLD_WITHIN_MS })
  await expect(away(page)).toContainText(merchant['verb.createMerchant'])
  cable.mend()
  await expect(away(page)).toBeHidden()
  await expect(name).toHaveValue('Cut off')
  await page.context().close()
})

test('a save that got no answer stays in its form, and is made by the next try', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', cable.url)
  await page.goto(`${cable.url}${screenOf('shj/qzsz').path}`)
  await button(page, fleet['verb.addMachineGroup']).click()
  await field(formOf(page), fleet['field.merchantId']).fill('江南云柜')
  await formOf(page).getByRole('option').first().click()
  const name = field(formOf(page), fleet['field.name'])
  await send(page, fleet['verb.addMachineGroup'])
  await expect(formOf(page).getByRole('alert')).toHaveText(kit['form.incomplete'])
  await name.fill('After the cut')
  await page.context().setOffline(true)
  await send(page, fleet['verb.addMachineGroup'])
  await expect(formOf(page).getByRole('alert')).toContainText(kernel['error.network'])
  await expect(name).toHaveValue('After the cut')
  await expect(away(page)).toBeVisible()
  await page.context().setOffline(false)
  await expect(away(page)).toBeHidden()
  await send(page, fleet['verb.addMachineGroup'])
  await expect(formOf(page)).toBeHidden()
  await page.context().close()
})

test('what nobody understands of an address is said, and can be cleared', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', server.url)
  const { path } = screenOf('jygl/ddgl')
  await page.goto(`${server.url}${path}?tab=slots&colour=red&method=cash&paymentState=gold`)
  const note = page.getByRole('status').filter({ hasText: 'tab=slots, colour=red, paymentState=gold' })
  await expect(note).toBeVisible()
  await note.getByRole('button').click()
  await expect(note).toBeHidden()
  expect(new URL(page.url()).search).toBe('?method=cash')
  await page.goto(`${server.url}/dashboard?colour=red`)
  await expect(page.getByRole('status').filter({ hasText: 'colour=red' })).toBeVisible()
  await page.context().close()
})

test('a list holds still under a pointer, says what waits, and takes it in when asked or left', async ({ browser }) => {
  const machine = shopOf(server)
  const device = await switchOn(server, machine)
  const sell = async () => {
    expect((await device.sendAndAck('sale', cashSale(sellingSlot(machine)))).state).toBe('processed')
  }
  const page = await signedIn(browser, 'admin', server.url)
  const title = catalogs.zh.screens['jygl/ddgl']
  await page.goto(`${server.url}${screenOf('jygl/ddgl').path}`)
  const list = page.getByRole('region', { name: title, exact: true })
  // By its number alone: the ages of rows go on.
  const newest = () => list.getByRole('row').nth(1).locator('a[data-row]').innerText()
  const news = (count: number) => button(list, filled(kit['list.new'], { count }))
  await expect(list.getByRole('row').nth(3)).toBeVisible()
  const first = await newest()
  await list.getByRole('row').nth(3).hover()
  const place = await list.getByRole('row').nth(3).boundingBox()
  await sell()
  await expect(news(1)).toBeVisible()
  await sell()
  await expect(news(2)).toBeVisible()
  expect(await newest()).toBe(first)
  expect(await list.getByRole('row').nth(3).boundingBox()).toEqual(place)
  await news(2).click()
  await expect.poll(newest).not.toBe(first)
  const second = await newest()
  await sell()
  await expect(news(1)).toBeVisible()
  await page.getByRole('heading', { name: title, level: 1 }).hover()
  await expect.poll(newest).not.toBe(second)
  await expect(news(1)).toBeHidden()
  await page.context().close()
  await device.close()
})
