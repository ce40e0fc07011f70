import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { expect, test } from '@playwright/test'
import { button, drawerOf, field, formOf, openRow, send, signedIn, told } from '../kit/desk'
import { shopsSeenBy, startQuietServer } from '../kit/machines'
import type { RunningServer } from '../kit/harness'

const { field: words } = catalogs.zh
const { path } = screenOf('cfgl/xjqd')
const BOX = 'BOX-77'
let server: RunningServer

test.beforeAll(async () => {
  server = await startQuietServer()
})
test.afterAll(() => server.stop())

test('a box that is taken by one is counted by another, and what is missing is accepted by a third', async ({
  browser,
}) => {
  const machine = (await shopsSeenBy(server, 'operator')).at(-1)
  const taker = await signedIn(browser, 'operator', server.url)
  await taker.goto(`${server.url}${path}`)
  await button(taker, words['verb.takeCashBox']).first().click()
  await field(formOf(taker), words['field.machineCode']).fill(machine?.code ?? '')
  await formOf(taker).getByRole('option').first().click()
  await field(formOf(taker), words['field.boxNo']).fill(BOX)
  await send(taker, words['verb.takeCashBox'])
  await expect(told(taker, words['verb.takeCashBox.done'])).toBeVisible()

  const counter = await signedIn(browser, 'finance', server.url)
  const drawer = await openRow(counter, `${server.url}${path}`, BOX)
  await button(drawer, words['verb.countCashBox']).click()
  await field(formOf(counter), words['field.countedFen']).fill('100000')
  await send(counter, words['verb.countCashBox'])
  await expect(drawer.getByText(words['cashCollectionState.counted'], { exact: true })).toBeVisible()
  await expect(drawer.getByRole('button', { name: words['verb.acceptCashDifference.not'] })).toBeDisabled()

  const third = await signedIn(browser, 'merchant', server.url)
  await openRow(third, `${server.url}${path}?state=counted`, BOX)
  await button(drawerOf(third), words['verb.acceptCashDifference']).click()
  await field(formOf(third), words['field.reason']).fill('Found in the hopper')
  await send(third, words['verb.acceptCashDifference'])
  await expect(drawerOf(third).getByText(words['cashCollectionState.settled'], { exact: true })).toBeVisible()
  await expect(drawer.getByText(words['cashCollectionState.settled'], { exact: true })).toBeVisible()
})
