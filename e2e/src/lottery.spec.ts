import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import type { Device } from '../../fleet/src/link/client'
import { button, drawerOf, field, formOf, openRow, send, signedIn, told } from './kit/desk'
import { query, type RunningServer } from './kit/harness'
import { type Machine, machinesOf, sellingSlot, type Slot, startQuietServer, switchOn } from './kit/machines'

/** A prize that hangs, from the play at the machine to the counter; and a draw that is checked by who looks on. */
test.describe.configure({ mode: 'serial' })

const { lottery: words } = catalogs.zh
const pathOf = (key: string): string => screenOf(key).path
let server: RunningServer
let machine: Machine
let slot: Slot
let device: Device
let operator: Page
let finance: Page
let orderNo: string

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  const seen = await query<{ code: string }>(
    server,
    `select m.code from machine m join machine_grant_user g on g.machine_id = m.id
      join app_user u on u.id = g.user_id where u.account = 'operator' and m.lottery_permille > 0`,
  )
  const first = machinesOf(server).find(({ code }) => seen.some((each) => each.code === code))
  if (!first) throw new Error('the operator sees no machine where one can play')
  machine = first
  slot = sellingSlot(machine)
  device = await switchOn(server, machine)
  operator = await signedIn(browser, 'operator', server.url)
  finance = await signedIn(browser, 'finance', server.url)
})
test.afterAll(async () => {
  for (const page of [operator, finance]) await page.context().close()
  await device.close()
  await server.stop()
})

/** Plays until one wins, as long as that takes. @returns the machine's number of the play that won, and its code */
async function win(): Promise<{ number: string; prizeCode: string }> {
  for (let plays = 0; plays < 120; plays += 1) {
    const number = `E-${randomUUID().slice(0, 8)}`
    const answer = await device.request({
      orderNo: number,
      method: 'wechat',
      items: [{ slot: slot.code }],
      isPlay: true,
    })
    if (!('amountFen' in answer)) throw new Error(`the play was refused: ${JSON.stringify(answer)}`)
    expect(answer.play?.seedHash).toMatch(/^[0-9a-f]{64}$/)
    const payment = { orderNo: number, method: 'wechat', amountFen: answer.amountFen, channelNo: `W${number}` }
    await device.sendAndAck('pay.result', payment)
    const drawn = await device.answerAfter(number)
    if ('prizeCode' in drawn && drawn.prizeCode) return { number, prizeCode: drawn.prizeCode }
  }
  throw new Error('nobody won')
}

/** The machine turns and nothing falls. */
async function hang(number: string): Promise<void> {
  const ship = await device.command('ship')
  await device.sendAndAck('cmd.ack', { cmdId: ship.cmdId, state: 'received' })
  const codes = { ok: false, motorCode: '103', sensorCode: '03' }
  await device.sendAndAck('vend.result', { orderNo: number, index: 0, slot: slot.code, ...codes })
}

test('a prize that is won and hangs is owed, and stands so in the list with its proof bound', async () => {
  const { number } = await win()
  orderNo = `${machine.code}-${number}`
  await hang(number)
  const drawer = await openRow(operator, `${pathOf('jygl/hgxq')}?orderNo=${orderNo}`, orderNo)
  await expect(drawer.locator('header')).toContainText(words['prizeState.owed'])
  await expect(drawer).toContainText(words['seed.hidden'])
  await expect(drawer.getByRole('button', { name: new RegExp(`^${words['proof.check']}`) })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
})

test('a draw of a day that is over is recomputed in the browser', async () => {
  await operator.goto(`${pathOf('jygl/hgxq')}?state=won&prizeState=dispensed&to=${await yesterday()}`)
  await operator.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
  const drawer = drawerOf(operator)
  await button(drawer, words['proof.check']).click()
  await expect(drawer.getByRole('status')).toContainText(words['proof.holds'])
})

const yesterday = async (): Promise<string> => {
  const [row] = await query<{ day: string }>(
    server,
    `select to_char((now() at time zone 'Asia/Shanghai')::date - 1, 'YYYY-MM-DD') as day`,
  )
  return row?.day ?? ''
}

test('who stands at the counter writes the claim down, and somebody else lets the prize go', async () => {
  const drawer = await openRow(operator, `${pathOf('jygl/hgxq')}?orderNo=${orderNo}`, orderNo)
  await button(drawer, words['verb.addClaim']).click()
  const form = formOf(operator)
  await field(form, words['field.claimant']).fill('林晓雨')
  await field(form, words['field.note']).fill('电机超时，奖品卡在出货口')
  await form.locator('input[type=file]').setInputFiles({ name: 'proof.png', mimeType: 'image/png', buffer: picture })
  await expect(form.getByRole('img')).toHaveCount(1)
  await send(operator, words['verb.addClaim'])
  await expect(told(operator, words['verb.addClaim.done'])).toBeVisible()

  const claims = await openRow(operator, `${pathOf('jygl/hgsh')}?q=${orderNo}`, orderNo)
  await expect(claims.locator('header')).toContainText(words['claimState.pending'])
  await expect(claims.getByRole('button', { name: new RegExp(`^${words['verb.passClaim']}`) })).toHaveCount(0)

  const review = await openRow(finance, `${pathOf('jygl/hgsh')}?q=${orderNo}`, orderNo)
  await button(review, words['verb.passClaim']).click()
  await expect(formOf(finance)).toContainText('林晓雨')
  await field(formOf(finance), words['field.placeId']).selectOption({ label: words['place.outside'] })
  await send(finance, words['verb.passClaim'])
  await expect(told(finance, words['verb.passClaim.done'])).toBeVisible()
  await expect(review.locator('header')).toContainText(words['prizeState.collected'])
  await expect(claims.locator('header')).toContainText(words['claimState.passed'])
})

test('who shows the code that the machine told is handed the prize at once, and a code is good once', async () => {
  const { number, prizeCode } = await win()
  await hang(number)
  await operator.goto(pathOf('yxch/djyz'))
  const code = operator.getByLabel(words['field.code.prize'])
  await code.fill('0000')
  await code.press('Enter')
  await expect(operator.getByText(words['rule.prizeCode'])).toBeVisible()
  await code.fill(`${prizeCode.slice(0, 6)}-${prizeCode.slice(6)}`.toLowerCase())
  await code.press('Enter')
  const check = operator.getByRole('region', { name: words['prizeCode.check'] })
  await expect(check.getByRole('status')).toHaveText(words['prizeCode.outcome.valid'])
  await button(operator, words['verb.redeemPrize']).click()
  await field(formOf(operator), words['field.placeId']).selectOption({ label: words['place.outside'] })
  await send(operator, words['verb.redeemPrize'])
  await expect(told(operator, words['verb.redeemPrize.done'])).toBeVisible()
  await expect(check.getByRole('status')).toHaveText(words['prizeCode.outcome.collected'])
  const done = check.getByRole('button', { name: new RegExp(`^${words['verb.redeemPrize']}`) })
  await expect(done).toHaveAttribute('aria-disabled', 'true')
  await expect(operator.getByRole('table')).toContainText(`${machine.code}-${number}`)
})

test('the statistics hold what was won against the odds, and lead to the plays', async () => {
  const drawer = await openRow(finance, pathOf('jygl/zjtj'), machine.code)
  await expect(drawer.getByRole('img').first()).toHaveAccessibleName(new RegExp(words['field.wins']))
  await drawer.getByRole('link', { name: words['link.wins'] }).click()
  await expect(finance.getByRole('heading', { level: 1 })).toHaveText(catalogs.zh.screens['jygl/hgxq'])
  await expect(finance).toHaveURL(new RegExp(`machineCode=${machine.code}`))
  await expect(finance.getByRole('table').getByRole('row').nth(1)).toContainText(words['playState.won'])
})

/** One pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
)
