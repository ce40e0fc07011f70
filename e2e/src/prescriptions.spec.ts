import { expect, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, signedIn } from './kit/desk'

/** From the doctor's desk to the pharmacist's signature. */
const { pharmacy } = catalogs.zh
const list = screenOf('jygl/cfcx').path
const page = screenOf('jygl/cfxq').path

test('a doctor writes, a pharmacist signs with one key and the next one opens', async ({ browser }) => {
  const doctor = await signedIn(browser, 'doctor')
  await doctor.goto(`${page}?write=1`)
  await field(doctor, pharmacy['field.patientName']).fill('林晓月')
  await field(doctor, pharmacy['field.sex']).selectOption('female')
  await field(doctor, pharmacy['field.birthYear']).fill('1988')
  await field(doctor, pharmacy['field.condition']).fill('急性咽炎')
  const medicine = doctor.getByRole('combobox', { name: pharmacy['field.medicine'] }).first()
  await medicine.fill('阿莫西林')
  await doctor.getByRole('option', { name: /阿莫西林胶囊/ }).click()
  await doctor.getByLabel(pharmacy['field.quantity'], { exact: true }).fill('4')
  await expect(doctor.getByRole('region', { name: pharmacy['warnings.title'] })).toContainText('阿莫西林胶囊')
  await doctor.getByLabel(pharmacy['field.quantity'], { exact: true }).fill('1')
  await expect(doctor.getByText(pharmacy['warnings.none'])).toBeVisible()
  await button(doctor, pharmacy['verb.writePrescription']).click()
  await expect(doctor).toHaveURL(/id=\d+/)
  const code = await doctor.getByRole('heading', { level: 2 }).innerText()
  expect(code).toMatch(/^RX[0-9A-Z]{18}$/)

  const pharmacist = await signedIn(browser, 'pharmacist')
  await pharmacist.goto(`${list}?part=review`)
  const queue = pharmacist.getByRole('navigation', { name: pharmacy['queue.title'] })
  await queue.getByRole('button').last().click()
  await expect(pharmacist.getByRole('region', { name: code })).toBeVisible()
  await pharmacist.keyboard.press('a')
  const question = pharmacist.getByRole('alertdialog', { name: pharmacy['verb.approvePrescription'] })
  await expect(question).toContainText(code)
  await pharmacist.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(pharmacist.getByRole('region', { name: code })).toBeVisible()
  await pharmacist.keyboard.press('a')
  await button(question, pharmacy['queue.sign.yes']).click()
  await expect(pharmacist.getByRole('status').filter({ hasText: code })).toBeVisible()
  await expect(pharmacist.getByRole('region', { name: code })).toBeHidden()

  // The doctor's page hears of it, and says who signed.
  await expect(doctor.getByText(pharmacy['decision.genuine'])).toBeVisible()
  await expect(doctor.getByText(pharmacy['decision.same'])).toBeVisible()
  await doctor.context().close()
  await pharmacist.context().close()
})

test('a code is looked up, and a patient shown in full only with a reason', async ({ browser }) => {
  const pharmacist = await signedIn(browser, 'pharmacist')
  await pharmacist.goto(`${list}?state=approved`)
  const link = pharmacist.getByRole('table').getByRole('link').first()
  const code = await link.innerText()
  await pharmacist.goto(`${page}?code=${code}`)
  await expect(pharmacist.getByRole('heading', { name: code })).toBeVisible()
  await pharmacist.goto(`${list}?code=${code}`)
  await pharmacist.getByRole('table').getByRole('link').first().click()
  await button(drawerOf(pharmacist), pharmacy['verb.revealPatient']).click()
  const form = pharmacist.locator('dialog[open]')
  await form.getByLabel(pharmacy['field.reason']).fill('患者在机器前报错姓名')
  await button(form, pharmacy['verb.revealPatient']).click()
  const shown = pharmacist.locator('dialog[open]').getByRole('definition').first()
  await expect(shown).toHaveText(/^\p{Script=Han}{2,4}$/u)
  await pharmacist.context().close()
})
