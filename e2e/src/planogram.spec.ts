import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { systemClock } from '../../fleet/src/machine/clock'
import { readConfig, readFleetFile } from '../../fleet/src/config'
import { type Fleet, startFleet } from '../../fleet/src/fleet'
import { button, drawerOf, field, filled, formOf, openRow, pick, send, signedIn, told } from './kit/desk'
import { query, type RunningServer } from './kit/harness'
import { type Machine, machinesOf, startQuietServer } from './kit/machines'

/** What stands in machines is planned while they are off, and taken by the simulated ones once they are on. */
test.describe.configure({ mode: 'serial' })

const { device: wire, fleet: words, planogram } = catalogs.zh
const SLOTS = screenOf('shj/hdgl').path
const TEMPLATE = '江南综合机'
const TEMPLATES = screenOf('shj/mbgl').path
let server: RunningServer
let page: Page
let shops: Machine[]
let medicine: Machine
let running: Fleet | undefined

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  const machines = machinesOf(server)
  // Of the operator of the east and of the shops below it: who looks sees both.
  shops = machines.filter(({ code, category }) => code.startsWith('HZ') && category !== 'medicine')
  const [one] = machines.filter(({ code, category }) => code.startsWith('HZ') && category === 'medicine')
  if (!one || shops.length < 2) throw new Error('the demo network has too few machines in the east')
  medicine = one
  page = await signedIn(browser, 'admin', server.url)
})
test.afterEach(async () => {
  await running?.stop()
  running = undefined
})
test.afterAll(async () => {
  await page.context().close()
  await server.stop()
})

/** The machines of these codes as programs that obey; nobody buys from them meanwhile. */
async function switchOn(...codes: string[]): Promise<void> {
  const quiet = ['--rate', '0', '--offline', '0', '--jam', '0', '--replay-within', '0', '--no-refill']
  const config = readConfig(['--data-dir', server.place.dataDir, '--url', server.mqttUrl, ...quiet], {})
  const file = readFleetFile(config)
  if (!file) throw new Error('the demo network left no fleet file')
  const machines = file.machines.filter(({ code }) => codes.includes(code))
  running = await startFleet(config, { ...file, machines }, systemClock)
}

const tile = (code: string): Locator =>
  page
    .getByRole('group')
    .getByRole('button')
    .filter({ has: page.locator('b', { hasText: code }) })

const productRow = (name: string): Locator =>
  page.getByRole('region', { name: planogram.products, exact: true }).getByRole('button').filter({ hasText: name })

async function chooseMachine(code: string): Promise<void> {
  await page.goto(SLOTS)
  const chooser = page.getByRole('combobox', { name: planogram.machine })
  await chooser.focus()
  await page.keyboard.type(code)
  await expect(page.getByRole('option').first()).toContainText(code)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: filled(planogram.board, { code }) })).toBeVisible()
}

test('by the keys alone a product goes into a slot; it waits, and agrees once the machine has taken it', async () => {
  const [shop] = shops
  if (!shop) throw new Error('no shop')
  const [slot] = shop.slots.filter(({ stock, product, fault }) => stock > 0 && product && !fault)
  if (!slot) throw new Error('every slot of the shop is bare')
  await chooseMachine(shop.code)
  await tile(slot.code).focus()
  await page.keyboard.press('Enter')
  await expect(tile(slot.code)).toHaveAttribute('aria-pressed', 'true')
  const former = await tile(slot.code).locator('[data-part~=tile-name]').innerText()
  const candidates = page.locator('[data-part~=product][aria-disabled=false] b')
  await expect(candidates.first()).toBeVisible()
  const names = await candidates.allInnerTexts()
  const isAlone = (name: string) => names.filter((each) => each.includes(name)).length === 1
  const wanted = names.find((name) => name !== former && isAlone(name)) ?? ''
  await page.getByRole('searchbox', { name: planogram.products }).focus()
  await page.keyboard.type(wanted)
  await expect(page.locator('[data-part~=product]')).toHaveCount(1)
  // Past the list itself, which scrolls by the keys.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(productRow(wanted)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(tile(slot.code)).toContainText(wanted)
  await expect(tile(slot.code)).toContainText(planogram['slot.changed'])
  const price = page.getByRole('textbox', { name: planogram['field.priceFen'] })
  await price.fill('abc')
  await expect(price).toHaveAccessibleDescription(planogram['rule.priceFen'])
  await price.fill('7.30')
  await page.keyboard.press('Enter')
  await expect(tile(slot.code)).toContainText('¥7.30')

  await button(page, planogram['bar.save']).press('Enter')
  const question = formOf(page)
  const save = button(question, planogram['save.now'])
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await question.getByRole('checkbox').press('Space')
  await save.press('Enter')
  await expect(told(page, filled(planogram['save.done'], { code: shop.code, changed: 1 }))).toBeVisible()
  await expect(tile(slot.code)).toContainText(planogram['syncState.pending'])
  await expect(tile(slot.code)).not.toContainText(planogram['slot.changed'])

  await page.evaluate(() => Object.assign(window, { isSame: true }))
  await switchOn(shop.code)
  const sync = page.getByRole('region', { name: planogram.sync })
  await expect(sync).toContainText(wire['commandState.done'], { timeout: 20_000 })
  await expect(tile(slot.code)).not.toContainText(planogram['syncState.pending'])
  for (const not of ['differs', 'unknown'] as const) {
    await expect(tile(slot.code)).not.toContainText(planogram[`syncState.${not}`])
  }
  await expect(sync.getByRole('button').filter({ hasText: planogram['syncState.in_sync'] })).toContainText(
    String(shop.slots.length),
  )
  await expect(tile(slot.code)).toContainText(wanted)
  await expect(tile(slot.code)).toContainText('¥7.30')
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
})

test('what the licence of a machine forbids can not be put into it, and says why', async () => {
  const PRESCRIPTION = '苯磺酸氨氯地平片'
  await chooseMachine(medicine.code)
  await expect(page.locator('[data-part~=bench-facts]')).toContainText(words['licence.retail'])
  const [slot] = medicine.slots
  if (!slot) throw new Error('the machine has no slots')
  const before = await tile(slot.code).innerText()
  await tile(slot.code).click()
  await page.getByRole('searchbox', { name: planogram.products }).fill(PRESCRIPTION)
  const forbidden = productRow(PRESCRIPTION)
  await expect(forbidden).toContainText(planogram['law.otcBOnly'])
  await expect(forbidden).toHaveAttribute('aria-disabled', 'true')
  await expect(forbidden).toHaveAttribute('draggable', 'false')
  await forbidden.press('Enter')
  await expect(button(page, planogram['bar.save'])).toBeHidden()
  await expect(tile(slot.code)).not.toContainText(PRESCRIPTION)
  expect(await tile(slot.code).innerText()).toContain(before)
})

test('a template shows what it would change in each machine, and how its application goes', async () => {
  const [shop, other] = shops
  if (!shop || !other) throw new Error('no shops')
  const drawer = await openRow(page, TEMPLATES, TEMPLATE)
  await drawer.getByRole('link', { name: planogram['template.tab.apply'] }).click()
  const which = page.getByRole('region', { name: planogram['apply.which'] })
  const lineOf = (code: string) => which.getByRole('listitem').filter({ hasText: code })
  // Those that are behind are asked for first.
  await expect(lineOf(shop.code)).toContainText(planogram['outcome.changes'])
  await expect(lineOf(other.code)).toHaveCount(0)
  await which.getByRole('checkbox', { name: filled(planogram['apply.behind'], { count: 1 }) }).uncheck()
  await field(which, words['field.q']).fill(other.code)
  await expect(lineOf(other.code)).toContainText(planogram['outcome.holdsStock'])
  await expect(which.getByRole('button', { name: planogram['verb.applyTemplate.not'] })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await which.getByRole('checkbox', { name: planogram['apply.remove'] }).check()
  await expect(lineOf(other.code)).toContainText(planogram['outcome.changes'])
  await button(lineOf(other.code), filled(planogram['apply.slots'], { code: other.code })).click()
  await expect(lineOf(other.code)).toContainText(planogram['kind.changed'])

  await button(which, planogram['verb.applyTemplate']).click()
  await expect(formOf(page)).toContainText(
    filled(planogram['verb.applyTemplate.ask'], { name: TEMPLATE, changing: 1, same: 0 }),
  )
  await field(formOf(page), planogram['field.reason']).fill('统一为综合机')
  await send(page, planogram['verb.applyTemplate'])
  await expect(told(page, filled(planogram['verb.applyTemplate.done'], { applied: 1, refused: 0 }))).toBeVisible()
  await expect(lineOf(other.code)).toContainText(planogram['outcome.same'])
  const run = page.getByRole('region', { name: planogram.run })
  await expect(run).toContainText(other.code)
  await expect(run).not.toContainText(wire['commandState.done'])
  await switchOn(other.code)
  await expect(run.getByRole('listitem').filter({ hasText: other.code })).toContainText(wire['commandState.done'], {
    timeout: 20_000,
  })
  await chooseMachine(other.code)
  await expect(page.locator('[data-part~=bench-facts]')).toContainText(
    filled(planogram['bench.template'], { name: TEMPLATE }),
  )
  await expect(page.getByRole('region', { name: planogram.sync }).getByRole('button').first()).toContainText(
    planogram['syncState.in_sync'],
  )
})

test('prices of many are seen before they are set, told to the machine, and taken back in one action', async () => {
  const [shop] = shops
  // An offer would have the machine show less than the price that is set.
  const reduced = await query<{ code: string }>(
    server,
    `select s.code from slot_offer o join slot s on s.id = o.slot_id join machine m on m.id = s.machine_id
      where m.code = $1 and cardinality(o.kinds) > 0`,
    [shop?.code],
  )
  const isPlain = (code: string) => reduced.every((each) => each.code !== code)
  const slot = shop?.slots.findLast(
    ({ code, product, priceFen, fault }) => product && priceFen !== 990 && !fault && isPlain(code),
  )
  if (!shop || !slot) throw new Error('no shop')
  const slotLine = () => page.getByRole('listitem').filter({ has: page.locator('b', { hasText: slot.code }) })
  const machineLine = () => page.getByRole('listitem').filter({ hasText: shop.code })
  // Machines are ticked where one sees them; another is added by its name.
  const [, other] = shops
  await page.goto(`${screenOf('shj/wdshj').path}?code=${shop.code}`)
  await page.getByRole('table').getByRole('row').nth(1).getByRole('checkbox').check()
  await page.getByRole('link', { name: words['verb.changePrices'] }).click()
  const form = formOf(page)
  await expect(form).toContainText(filled(planogram['price.chosenMachines'], { count: 1 }))
  await pick(page, planogram['price.addMachine'], other?.code ?? '')
  await expect(field(form, planogram['field.machineCodes'])).toHaveValue(`${shop.code} ${other?.code}`)
  await field(form, planogram['field.machineCodes']).fill(shop.code)
  await field(form, planogram['field.codes']).fill(slot.product)
  await field(form, planogram['field.amountFen']).fill('9.90')
  await field(form, planogram['field.reason']).fill('换季调价')
  await send(page, planogram['verb.addPriceChange'])
  const drawer = drawerOf(page)
  await button(drawer, filled(planogram['price.slotsOf'], { code: shop.code })).click()
  await expect(slotLine().first()).toContainText(planogram['pricedState.planned'])
  await expect(slotLine().first()).toContainText('¥9.90')

  await button(drawer, planogram['verb.applyPriceChange']).click()
  await send(page, planogram['verb.applyPriceChange'])
  await expect(drawer).toContainText(planogram['priceChangeState.applied'], { timeout: 20_000 })
  await switchOn(shop.code)
  await expect(machineLine().first()).toContainText(wire['commandState.done'], { timeout: 20_000 })
  await expect(slotLine().first()).toContainText(filled(planogram['price.reported'], { price: '¥9.90' }), {
    timeout: 20_000,
  })

  await button(drawer, planogram['verb.undoPriceChange']).click()
  await send(page, planogram['verb.undoPriceChange'])
  await expect(drawer).toContainText(planogram['priceChangeState.undone'], { timeout: 20_000 })
  await expect(slotLine().first()).toContainText(planogram['pricedState.undone'])
  await expect(slotLine().first()).not.toContainText(filled(planogram['price.reported'], { price: '¥9.90' }), {
    timeout: 20_000,
  })
})

test('a count begins at the machine: what is empty first, the rest as in the books in one tap', async () => {
  // One that no template has emptied above.
  const shop = machinesOf(server).find(({ code }) => code.startsWith('SZ'))
  if (!shop) throw new Error('no shop in the south')
  const drawer = await openRow(page, `${screenOf('shj/wdshj').path}?code=${shop.code}`, shop.code)
  await drawer.getByRole('tab', { name: words['tab.planogram'] }).click()
  await drawer.getByRole('link', { name: words['planogram.count'], exact: true }).click()
  const form = formOf(page)
  const lines = form.getByRole('list').getByRole('listitem')
  await expect(lines.first()).toBeVisible()
  const books = await lines.evaluateAll((all) =>
    all.map((line) => Number(/\d+/.exec(line.querySelector('button')?.textContent ?? '')?.[0])),
  )
  expect(books.findLastIndex((count) => count === 0)).toBeLessThan(books.findIndex((count) => count > 0))
  const full = books.findIndex((count) => count > 1)
  await lines.nth(full).getByRole('textbox').fill('1')
  await button(form, planogram['count.restAsBooked']).click()
  await expect(lines.nth(full).getByRole('textbox')).toHaveValue('1')
  await expect(lines.last().getByRole('textbox')).toHaveValue(String(books.at(-1)))
  await send(page, planogram['count.save'])
  await expect(told(page, filled(planogram['count.done'], { code: shop.code, count: 1 }))).toBeVisible()
})
