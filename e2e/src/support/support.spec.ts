import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, filled, formOf, openRow, send, signedIn, told } from '../kit/desk'
import type { RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'

/** Somebody tells what is wrong, support answers, and what is known of a fault stands beside it. */
test.describe.configure({ mode: 'serial' })

const { support: words, system, notice } = catalogs.zh
const SAID = '报警列表在手机上滚不动。'
let server: RunningServer
let asker: Page
let helper: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  asker = await signedIn(browser, 'maintainer', server.url)
  helper = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  for (const page of [asker, helper]) await page.context().close()
  await server.stop()
})

const openFeedback = async (page: Page) => {
  await button(page, system['shell.tools']).click()
  await page.getByRole('menuitem', { name: system['tool.feedback'] }).click()
}

test('feedback from the top bar takes the page along, is answered, and its answer is heard', async () => {
  await asker.goto(screenOf('shj/jqbj').path)
  await openFeedback(asker)
  await send(asker, words['feedback.send'])
  await expect(formOf(asker)).toContainText(words['feedback.empty'])
  await field(formOf(asker), words['feedback.words']).fill(SAID)
  await send(asker, words['feedback.send'])
  await expect(told(asker, '谢谢')).toBeVisible()

  const drawer = await openRow(helper, `${screenOf('shkf/wtfk').path}?q=${encodeURIComponent('滚不动')}`, SAID)
  await expect(drawer).toContainText(words['feedbackState.unprocessed'])
  await expect(drawer.getByRole('link', { name: catalogs.zh.screens['shj/jqbj'] })).toBeVisible()
  await button(drawer, words['verb.answerFeedback']).click()
  await field(formOf(helper), words['field.body']).fill('请刷新页面后再试。')
  await send(helper, words['verb.answerFeedback'])
  await expect(told(helper, words['verb.answerFeedback.done'])).toBeVisible()
  await expect(drawerOf(helper)).toContainText(words['feedbackState.processing'])

  await asker.getByRole('button', { name: notice['bell.label'] }).click()
  await expect(asker.locator('[data-part=bell-panel]')).toContainText('请刷新页面后再试。')
  await asker.keyboard.press('Escape')
  await openFeedback(asker)
  await asker.getByRole('tab', { name: words['feedback.own'] }).click()
  const own = formOf(asker).getByRole('group').filter({ hasText: SAID })
  await own.getByText(SAID).click()
  await expect(own).toContainText('请刷新页面后再试。')
  await own.getByLabel(words['own.reply']).fill('刷新后好了，谢谢。')
  await button(own, words['own.send']).click()
  await expect(own).toContainText('刷新后好了，谢谢。')
})

test('a fault of a feedback shows its solution, which says how often it helped', async () => {
  const drawer = drawerOf(helper)
  await button(drawer, words['verb.classifyFeedback']).click()
  await field(formOf(helper), words['field.fault']).selectOption('jam')
  await send(helper, words['verb.classifyFeedback'])
  await drawer.getByText('弹簧卡货处理').click()
  await button(drawer, words['verb.judge.helped']).click()
  await expect(drawer).toContainText(words['helped.youDid'])
  await expect(drawer).toContainText(filled(words['helped.of'], { helped: 1, all: 1 }))
  const known = await openRow(helper, `${screenOf('shkf/jjfa').path}?q=thkh`, '弹簧卡货处理')
  await expect(known).toContainText('6 点钟方向')
})

test('what is asked often is written, published, and read by whoever is signed in', async () => {
  await helper.goto(screenOf('shkf/xzwt').path)
  await field(helper, words['field.topic']).selectOption('money')
  await field(helper, words['field.questionZh']).fill('分账比例在哪里改？')
  await field(helper, words['field.answerZh']).fill('在“分账规则”里改，次日生效。')
  await button(helper, words['verb.addFaq']).click()
  await expect(drawerOf(helper)).toContainText(words['faqState.draft'])
  await button(drawerOf(helper), words['verb.publishFaq']).click()
  await send(helper, words['verb.publishFaq'])
  await expect(drawerOf(helper)).toContainText(words['faqState.published'])
  await asker.goto(screenOf('shj/jqbj').path)
  await button(asker, system['shell.tools']).click()
  await asker.getByRole('menuitem', { name: system['tool.help'] }).click()
  await asker.getByLabel(words['help.search']).fill('fzbl')
  await asker.getByText('分账比例在哪里改？').click()
  await expect(formOf(asker)).toContainText('次日生效')
})
