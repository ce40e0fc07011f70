import { expect, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { button, drawerOf, field, formOf, openRow, pick, send, signedIn, told } from './kit/desk'

/** Who collects: keys that are tried, an account from its copy to its activation, and what a merchant may not do. */
const { payment } = catalogs.zh

test('keys are tried at the provider, and what it says comes to the page by itself', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await page.goto('/xtgl/zfsz/fwscssz?provider=wechat')
  await page.getByRole('table').getByRole('link').first().click()
  await button(drawerOf(page), payment['verb.testProviderKeys']).click()
  await expect(drawerOf(page).getByText(payment['testOutcome.good'], { exact: true })).toBeVisible()
  await page.context().close()
})

test('a bank that speaks a provider’s protocol joins with services of its own; merchants have numbers at it', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  const bank = `北岸银行 ${Date.now()}`
  await page.goto('/xtgl/zfsz/zffwgl?part=acquirers')
  // Where there is nothing yet, the button stands in the middle, too.
  await button(page, payment['verb.addAcquirer']).first().click()
  await field(formOf(page), payment['field.provider']).selectOption({ label: payment['provider.unionpay'] })
  await field(formOf(page), payment['field.name']).fill(bank)
  await send(page, payment['verb.addAcquirer'])
  await expect(told(page, payment['verb.addAcquirer.done'])).toBeVisible()
  await page.goto('/xtgl/zfsz/zffwgl?provider=unionpay')
  await expect(page.getByRole('table').getByRole('row').filter({ hasText: bank })).toHaveCount(2)

  await page.goto('/xtgl/zfsz/fwscssz')
  await button(page, payment['verb.addProviderAccount']).click()
  await pick(page, payment['field.merchantId'], '穿堂智能零售平台')
  await field(formOf(page), payment['field.provider']).selectOption({ label: payment['provider.unionpay'] })
  await pick(page, payment['field.acquirerId'], bank)
  await field(formOf(page), payment['field.name']).fill(`${bank} 777`)
  await send(page, payment['verb.addProviderAccount'])
  await expect(told(page, payment['verb.addProviderAccount.done'])).toBeVisible()
  const drawer = await openRow(page, '/xtgl/zfsz/zffwgl?part=acquirers', bank)
  await expect(drawer).toContainText(payment['verb.removeAcquirer.not'])
  await page.context().close()
})

test('an activated account is locked; its copy is activated in its place', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await page.goto('/xtgl/zfsz/shzhsz?provider=unionpay&state=activated')
  await page.getByRole('table').getByRole('link').first().click()
  const heading = drawerOf(page).getByRole('heading', { level: 2 })
  // Until the account is read, the drawer bears the word for loading.
  await expect(heading).toContainText(payment['provider.unionpay'])
  const title = await heading.textContent()
  await expect(button(drawerOf(page), payment['verb.editPaymentAccount'])).toHaveCount(0)
  await button(drawerOf(page), payment['verb.copyPaymentAccount']).click()
  await expect(told(page, payment['verb.copyPaymentAccount.done'])).toBeVisible()
  await page.goto('/xtgl/zfsz/shzhsz?provider=unionpay&state=preparing')
  await page.getByRole('table').getByRole('link').first().click()
  await expect(drawerOf(page).getByRole('heading', { level: 2 })).toHaveText(title ?? '')
  await button(drawerOf(page), payment['verb.publishPaymentAccount']).click()
  await send(page, payment['verb.publishPaymentAccount'])
  await expect(drawerOf(page).getByText(payment['accountState.activated'], { exact: true })).toBeVisible()
  await page.context().close()
})

test('a merchant sees whose account collects at its machines, and leaves the platform’s to the platform', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'merchant')
  await page.goto('/cfgl/sksz?wechat=machine')
  await page.getByRole('table').getByRole('row').nth(1).click()
  await expect(drawerOf(page).getByText(payment['verdict.nearer']).first()).toBeVisible()
  await page.goto('/cfgl/sksz?part=accounts&state=activated')
  await page.getByRole('table').getByRole('link').first().click()
  await expect(drawerOf(page).getByText(payment['account.notYours'])).toBeVisible()
  const stop = drawerOf(page).getByRole('button', { name: payment['verb.stopPaymentAccount'] })
  await expect(stop).toHaveAttribute('aria-disabled', 'true')
  await page.context().close()
})
