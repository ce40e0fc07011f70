import { expect, type Page, test } from '@playwright/test'
import { screens } from '@aisle/contract/screens'
import { goInside, openVisit, settled, signInAs } from './kit/visit'

/**
 * French has the longest words, 360 pixels are the narrowest phone, and a window of 640 pixels' height is shorter than
 * most tables: every column can be reached, and what names row and column stays in sight.
 */
test.describe.configure({ mode: 'parallel', timeout: 300_000 })
test.use({ trace: 'off' })

const lists = screens.filter(({ shape, built, access }) => shape === 'list' && built && access !== 'public')

/** Of some lists a row is opened too: those whose drawers have most buttons. */
const opened = ['/jygl/ddgl', '/jygl/tkgl', '/shj/bywx', '/shj/shjgl']

for (const width of [1440, 360] as const) {
  test(`lists in French at ${width} px show every column and every button`, async ({ browser }) => {
    const visit = await openVisit(browser, { language: 'fr', theme: 'light', width })
    const { page } = visit
    await page.setViewportSize({ width, height: 640 })
    await signInAs(page, 'admin')
    await page.goto('/dashboard')
    await expect(page.locator('#content [data-part~=dash-figure]').first()).toBeVisible()
    await settled(page)
    const faults = (await outside(page)).map((fault) => `home: ${fault}`)
    for (const { key, path } of lists) {
      await test.step(key, async () => {
        await goInside(page, path)
        await expect(page.locator('table, [data-part~=cards], [data-part~=empty], .list-main').first()).toBeVisible()
        await settled(page)
        const found = [...(await outside(page)), ...(await hiddenParts(page))]
        const row = page.locator('a[data-row]').first()
        if (opened.includes(path) && (await row.count()) > 0) {
          await row.click()
          await expect(page.getByRole('dialog').getByRole('heading', { level: 2 })).not.toBeEmpty()
          await settled(page)
          found.push(...(await outside(page)), ...(await hiddenParts(page)), ...(await cutButtons(page)))
        }
        faults.push(...found.map((fault) => `${key}: ${fault}`))
      })
    }
    await visit.close()
    expect(faults).toEqual([])
  })
}

/** The window itself never scrolls: the page within it does, downwards, and as far as it has something to show. */
const outside = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = []
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement
    if (scrollWidth > clientWidth) faults.push(`the window scrolls sideways by ${scrollWidth - clientWidth}`)
    if (scrollHeight > clientHeight) faults.push(`the window scrolls into nothing by ${scrollHeight - clientHeight}`)
    const inner = document.querySelector('[data-part~=shell-page]')
    const content = document.querySelector('#content')
    if (!inner || !content) return [...faults, 'there is no page']
    const over = inner.scrollWidth - inner.clientWidth
    if (over > 0) faults.push(`the page scrolls sideways by ${over}`)
    inner.scrollTop = inner.scrollHeight
    const below = inner.getBoundingClientRect().bottom - content.getBoundingClientRect().bottom
    if (below > 1) faults.push(`the page ends ${below} above its end`)
    inner.scrollTop = 0
    return faults
  })

/** Of a table that is scrolled to its end, sideways and downwards. */
const hiddenParts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const holder = document.querySelector('.list-main [data-part~=table-holder]')
    const head = holder?.querySelector('thead th:last-child')
    const first = holder?.querySelector('tbody tr:last-child td:not(:has(input))')
    if (!holder || !head || !first) return []
    const faults: string[] = []
    holder.scrollIntoView({ block: 'end' })
    holder.scrollTo(holder.scrollWidth, holder.scrollHeight)
    const box = holder.getBoundingClientRect()
    const [cell, last] = [first.getBoundingClientRect(), head.getBoundingClientRect()]
    const drawer = document.querySelector('[data-part~=drawer]')?.getBoundingClientRect()
    const over = last.right - Math.min(box.right, drawer?.left || innerWidth)
    if (innerWidth > 640 && over > 1) faults.push(`the last column lies ${Math.round(over)} outside`)
    if (cell.left < box.left - 1 || cell.left > box.left + 60) faults.push('the first column scrolls away')
    if (Math.abs(last.top - box.top) > 2) faults.push(`the head scrolls away by ${Math.round(box.top - last.top)}`)
    if (last.top < 0 || last.bottom > innerHeight) faults.push('the head is not in the window')
    const point = document.elementFromPoint(last.left + last.width / 2, last.top + last.height / 2)
    if (!point?.closest('thead')) faults.push(`${point?.className || 'nothing'} covers the head`)
    holder.scrollTo(0, 0)
    return faults
  })

/** Each is scrolled to and then whole within the window, with its whole word. */
const cutButtons = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-part~=drawer] :is(button, .btn)')].flatMap((button) => {
      if (button.offsetParent === null) return []
      button.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      const { left, right, top, bottom } = button.getBoundingClientRect()
      const isWhole = left >= -1 && right <= innerWidth + 1 && top >= -1 && bottom <= innerHeight + 1
      const isCut = button.scrollWidth > button.clientWidth + 1
      return isWhole && !isCut ? [] : [`“${button.innerText.trim()}” is cut`]
    }),
  )
